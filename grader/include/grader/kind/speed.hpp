// SPDX-License-Identifier: MIT
// Kind "speed": a race against the reference, and the measured roof beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/exercise/parameter.hpp"
#include "grader/kind/forward.hpp"

namespace grader {

/// What a speed is compared with when there is no GPU: the solution's predicted time.
struct VirtualRace {
  std::string gpu;          ///< id of the machine
  std::int64_t size = 0;    ///< of the problem
  double microseconds = 0;  ///< that the solution is predicted to take
};

struct SpeedExercise {
  TimedSize size;
  double full_ratio = 0.9;  ///< reference time / own time that earns everything
  double zero_ratio = 0.3;  ///< ratio that earns nothing
  double full_roof = 0;     ///< fraction of the roof that earns everything; 0: none
  double handout_roof = 0;  ///< the same where there is no solution to race
  std::string no_roof;      ///< why no roof can judge, where that is 0
  /// Compute roof, as `roofline measure` names it: fp32, or fp16.vector where the precision has
  /// matrix units that the kernel does not use.
  std::string precision = "fp32";
  std::optional<VirtualRace> virtual_race;  ///< without it, nothing counts on a CPU
};

extern const KindRules kSpeedRules;
/// Races where speed gives points, and shows it where not; in a repository without solutions
/// against the measured roof only. Without a GPU the time predicted for a virtual one counts, where
/// the exercise names it.
Verdict grade_speed(Session& session, const Exercise& exercise);

}  // namespace grader
