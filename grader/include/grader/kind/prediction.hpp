// SPDX-License-Identifier: MIT
// Kind "prediction": a predicted time or rate, against a measurement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/exercise/parameter.hpp"
#include "grader/kind/forward.hpp"

namespace grader {

struct PredictionExercise {
  std::string unit;
  std::string quantity;  ///< bandwidth, flops or time
  TimedSize size;
  bool needs_machine = false;  ///< predicted from this machine's measured roofs
};

extern const KindRules kPredictionRules;
/// Share of the points that a prediction earns: all within rtol, then less and less, smoothly in
/// the logarithm of the factor between the two, and nothing from a factor of two on.
double prediction_share(double predicted, double measured, double rtol);
/// Whether a prediction is so far from all that was measured that no busy machine explains it: by a
/// wrong unit, say.
bool is_beyond_noise(double predicted, double low, double high);
/// The verdict on a readable prediction in base units against a measurement that can decide: what
/// it looks like where it is off, if that is known. Where the reference passes the stored roofs, no
/// prediction from them can be right, and one that is off is inconclusive.
Verdict verdict_on_prediction(Session& session, const Exercise& exercise,
                              const StudentAnswer& answer, double predicted,
                              const OwnMeasurement& own);
/// The verdict on a readable prediction in base units against any measurement: inconclusive where
/// this one, or the stored roofs, cannot decide.
Verdict judge_prediction(Session& session, const Exercise& exercise, const StudentAnswer& answer,
                         double predicted, const OwnMeasurement& own);
Verdict grade_prediction(Session& session, const Exercise& exercise);

}  // namespace grader
