// SPDX-License-Identifier: MIT
// Kind "prediction": a predicted time or rate, compared with a measurement.
#pragma once

#include <string>

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
/// Share of the points that a prediction earns: all within rtol, then smoothly less in the
/// logarithm of the factor between the two, and nothing from a factor of two on.
double prediction_share(double predicted, double measured, double rtol);
/// True if a prediction is so far from all measurements that no busy machine explains it: because
/// of a wrong unit, say.
bool is_beyond_noise(double predicted, double low, double high);
/// The verdict on a readable prediction in base units against a conclusive measurement, with the
/// mistake that it looks like, if one is known. If the reference beats the stored roofs, no
/// prediction from them can be right, so one that is off is inconclusive.
Verdict verdict_on_prediction(Session& session, const Exercise& exercise,
                              const StudentAnswer& answer, double predicted,
                              const OwnMeasurement& own);
/// The verdict on a readable prediction in base units against any measurement: inconclusive if the
/// measurement or the stored roofs cannot decide.
Verdict judge_prediction(Session& session, const Exercise& exercise, const StudentAnswer& answer,
                         double predicted, const OwnMeasurement& own);
Verdict grade_prediction(Session& session, const Exercise& exercise);

}  // namespace grader
