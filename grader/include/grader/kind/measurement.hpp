// SPDX-License-Identifier: MIT
// Kind "measurement": a recorded measurement, against the grader's own on the same machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/exercise/parameter.hpp"
#include "grader/kind/forward.hpp"

namespace grader {

struct MeasurementExercise {
  std::string unit;
  std::string quantity;  ///< bandwidth, flops or time
  TimedSize size;
  std::string record;  ///< JSON file in the topic's folder
};

extern const KindRules kMeasurementRules;
Verdict grade_measurement(Session& session, const Exercise& exercise);

}  // namespace grader
