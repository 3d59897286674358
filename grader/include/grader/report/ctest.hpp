// SPDX-License-Identifier: MIT
// CTest tests, one an exercise, generated from exercises.toml.
#pragma once

#include <filesystem>
#include <string>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// What the generated tests run.
struct CTestOptions {
  std::filesystem::path grader;  ///< the grader program
  std::filesystem::path root;
  std::filesystem::path build;
  std::string backend;
  std::string prefix = "grade";  ///< first part of the tests' names and their label
  bool solutions = false;        ///< the solutions are judged in the student's place
  bool expect_unsolved = false;  ///< a test passes when the exercise is unsolved and earns nothing
  std::string fixture;           ///< CTest fixture that every test requires; none when empty
};

/// A CMake script for TEST_INCLUDE_FILES: a test for each exercise, but no proof of one that the
/// backend gives no points for. A test passes when the exercise earns all its points; it
/// is skipped (exit code 77) when inconclusive or when the machine lacks what it needs; anything
/// else, an unsolved starter included, fails and says why.
std::string ctest_script(const Topic& topic, const CTestOptions& options);

}  // namespace grader
