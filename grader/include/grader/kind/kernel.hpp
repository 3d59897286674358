// SPDX-License-Identifier: MIT
// Kind "kernel": a kernel, compared with a double-precision oracle on fresh inputs and awkward
// sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/kind/forward.hpp"

namespace grader {

struct KernelExercise {
  std::vector<std::int64_t> sizes;  ///< that are tried
};

extern const KindRules kKernelRules;
Verdict grade_kernel(Session& session, const Exercise& exercise);
/// The verdict on an exercise about how a kernel works, if the exercise about its results (see
/// Exercise::kernel) rejects the kernel. @throws ChildFailure
std::optional<Verdict> refusal_of_kernel(Session& session, const Exercise& exercise);

}  // namespace grader
