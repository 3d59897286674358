// SPDX-License-Identifier: MIT
// What handed-in files may hold that is not honest work, each with honest twins: sources and
// numbers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/program/object_check.hpp"

namespace adversarial {

/// A source, and what the refusal of its object says; nothing for an honest one.
struct Source {
  std::string name;
  std::string code;
  std::string refusal = {};
  grader::ObjectOf what = grader::ObjectOf::kKernel;
  bool is_whole = false;  ///< cannot be linked, or not beside another lab
};

const std::vector<Source>& sources();

struct Reach {
  std::string name;
  std::filesystem::path file;
};

/// Files that a compiler would gladly include, and that must not be there.
std::vector<Reach> out_of_reach();

/// Ways to take a function out of what the checked run sees; each reads `x[i]` unseen. GCC and
/// clang know different ones, and each refuses all.
const std::vector<std::string>& ways_to_hide();

/// The SAXPY of the test course, which reads in a function hidden in each of these ways; an empty
/// way is an honest one.
std::string kernel_that_hides(const std::vector<std::string>& ways);

/// The line of that kernel, from 1, on which it does so in one of the ways.
std::size_t line_that_hides(const std::string& kernel, const std::string& way);

/// Not one number and a unit, for an intensity of 1/6 FLOP/B.
const std::vector<std::string>& number_tricks();
/// The same intensity in honest spellings.
const std::vector<std::string>& honest_numbers();

}  // namespace adversarial
