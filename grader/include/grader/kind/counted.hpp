// SPDX-License-Identifier: MIT
// Kind "counted": a kernel with limits on its number of FLOPs, loads and stores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/kind/forward.hpp"

namespace grader {

struct CountedExercise {
  std::vector<std::int64_t> sizes;    ///< that are tried
  std::vector<std::string> counters;  ///< which counts the oracle limits
};

extern const KindRules kCountedRules;
Verdict grade_counted(Session& session, const Exercise& exercise);

}  // namespace grader
