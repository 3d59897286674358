// SPDX-License-Identifier: MIT
// Kind "measurement": a recorded measurement, compared with the grader's own on the same machine.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "grader/exercise/parameter.hpp"
#include "grader/kind/forward.hpp"

namespace grader {

class RoofLook;
struct Record;

struct MeasurementExercise {
  std::string unit;
  std::string quantity;  ///< bandwidth, flops or time
  TimedSize size;
  std::string record;  ///< JSON file in the topic's folder
};

/// The verdict on a record, compared with the grader's own measurement and, if the machine has been
/// measured, a check of its roofs. `how_to_record` tells the student how to make a record.
Verdict judge_record(const Exercise& exercise, const Record& record, const OwnMeasurement& own,
                     const std::optional<RoofLook>& look, const std::string& how_to_record);

/// The verdict after up to three measurements, of which `own` is the first: neighbours of a virtual
/// machine change the speed of its memory within seconds, and nothing but another measurement shows
/// it. The first one that agrees with the record decides; if none does, and they differ from each
/// other by more than the exercise's tolerance, the verdict is inconclusive.
Verdict judge_until_agreed(const Exercise& exercise, const Record& record, OwnMeasurement own,
                           const std::function<OwnMeasurement()>& measure_again,
                           const std::function<Verdict(const OwnMeasurement&)>& judge);

extern const KindRules kMeasurementRules;
Verdict grade_measurement(Session& session, const Exercise& exercise);

}  // namespace grader
