// SPDX-License-Identifier: MIT
// CTest tests, one per exercise, generated from exercises.toml.
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
  bool solutions = false;        ///< judge the solutions instead of the student's files
  bool expect_unsolved = false;  ///< a test passes when the exercise is unsolved and earns nothing
  std::string fixture;           ///< CTest fixture that every test requires; none when empty
};

/// A CMake script for TEST_INCLUDE_FILES: a test for each exercise. Proofs (with solutions or
/// expect_unsolved) leave out exercises for which the backend gives no points. A test passes if the
/// exercise earns all its points. It is skipped (exit code 77) if the exercise is inconclusive or
/// the machine lacks what it needs. Anything else, including an unsolved starter, fails and says
/// why.
std::string ctest_script(const Topic& topic, const CTestOptions& options);

}  // namespace grader
