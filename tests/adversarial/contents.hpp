// SPDX-License-Identifier: MIT
// Dishonest contents of submitted files, each with honest twins: sources and numbers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/program/object_check.hpp"

namespace adversarial {

/// A source, and the expected refusal of its object; empty for an honest one.
struct Source {
  std::string name;
  std::string code;
  std::string refusal = {};
  grader::ObjectOf what = grader::ObjectOf::kKernel;
  bool is_whole = false;  ///< cannot be linked, or not together with another lab
};

const std::vector<Source>& sources();

struct Reach {
  std::string name;
  std::filesystem::path file;
};

/// Files that a compiler could include, and that must not be visible.
std::vector<Reach> out_of_reach();

/// Ways to hide a function from the checked run; each reads `x[i]` unseen. GCC and clang know
/// different ways, and each compiler must refuse all of its own.
const std::vector<std::string>& ways_to_hide();

/// The test course's SAXPY, which reads through a function hidden in each of these ways; the empty
/// way is honest.
std::string kernel_that_hides(const std::vector<std::string>& ways);

/// The line of that kernel, from 1, that uses one of the ways.
std::size_t line_that_hides(const std::string& kernel, const std::string& way);

/// Texts that are not one number and a unit, for an intensity of 1/6 FLOP/B.
const std::vector<std::string>& number_tricks();
/// The same intensity in honest spellings.
const std::vector<std::string>& honest_numbers();

}  // namespace adversarial
