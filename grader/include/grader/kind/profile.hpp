// SPDX-License-Identifier: MIT
// Kind "profile": a kernel with limits on its behaviour on a virtual GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/kind/forward.hpp"

namespace grader {

/// The limits on one figure of a profile.
struct ProfileLimit {
  std::string figure;  ///< one of profile_figures()
  std::optional<double> least;
  std::optional<double> most;
};

/// The figures of a profile that exercises can limit.
std::vector<std::string> profile_figures();

struct ProfileExercise {
  std::string virtual_gpu;  ///< id of the machine
  std::int64_t size = 0;
  std::vector<ProfileLimit> limits;
};

extern const KindRules kProfileRules;
Verdict grade_profile(Session& session, const Exercise& exercise);
/// Judges a speed by the time predicted for a virtual GPU: SpeedExercise::virtual_race, which must
/// be set.
Verdict grade_virtual_race(Session& session, const Exercise& exercise);

}  // namespace grader
