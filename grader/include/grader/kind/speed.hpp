// SPDX-License-Identifier: MIT
// Kind "speed": a race against the reference, together with the measured roof.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/exercise/parameter.hpp"
#include "grader/kind/forward.hpp"

namespace grader {

/// What a speed is compared with when there is no GPU: the solution's predicted time.
struct VirtualRace {
  std::string gpu;          ///< id of the machine
  std::int64_t size = 0;    ///< of the problem
  double microseconds = 0;  ///< that the solution is predicted to take
  /// On so many of the machine's multiprocessors, with unrolled code (roofline::Code): a problem
  /// that a laptop can profile is too small to fill all of them. 0: on all, with code in order.
  int multiprocessors = 0;
};

struct SpeedExercise {
  TimedSize size;
  double full_ratio = 0.9;  ///< reference time / own time that earns all points
  double zero_ratio = 0.3;  ///< ratio that earns nothing
  double full_roof = 0;     ///< fraction of the roof that earns all points; 0: none
  double handout_roof = 0;  ///< the same if there is no solution to race against
  std::string no_roof;      ///< why no roof can judge, if that is 0
  /// Compute roof, as `roofline measure` names it: fp32, or fp16.vector if the precision has matrix
  /// units that the kernel does not use.
  std::string precision = "fp32";
  std::optional<VirtualRace> virtual_race;  ///< without it, nothing counts on a CPU
};

extern const KindRules kSpeedRules;
/// Runs the race if speed gives points, and shows it if not; in a repository without solutions
/// against the measured roof only. Without a GPU the time predicted for a virtual one counts, if
/// the exercise names one.
Verdict grade_speed(Session& session, const Exercise& exercise);

}  // namespace grader
