// SPDX-License-Identifier: MIT
// Kind "kernel": a kernel, against a double-precision oracle on fresh inputs and awkward sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/exercise/parameter.hpp"

namespace grader {

struct Exercise;
struct KindRules;
struct Verdict;
class Session;

struct KernelExercise {
  std::vector<std::int64_t> sizes;  ///< that are tried
};

extern const KindRules kKernelRules;
Verdict grade_kernel(Session& session, const Exercise& exercise);

}  // namespace grader
