// SPDX-License-Identifier: MIT
// Reads predicted times and rates, and compares them with a measurement of the reference.
#include "grader/kind/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "exercise/declaration.hpp"
#include "grader/judge/grade.hpp"
#include "grader/judge/number.hpp"
#include "grader/timing/own_measurement.hpp"
#include "grader/timing/roof_look.hpp"
#include "kind/written_answer.hpp"

namespace grader {
namespace {

const PredictionExercise& prediction_of(const Exercise& exercise) {
  return exercise.as<PredictionExercise>();
}

void read_prediction(Declaration& declaration, Exercise& exercise) {
  TableReader& keys = declaration.keys();
  PredictionExercise own;
  own.unit = keys.text("unit", true);
  own.quantity = declaration.read_quantity();
  declaration.read_program(exercise);
  declaration.read_tolerance(exercise);
  own.size = declaration.read_timed_size();
  own.needs_machine = keys.flag("machine");
  exercise.fields = std::move(own);
}

/// The explanation of a prediction that is off; empty if there is none. Without the solutions it is
/// unknown what this machine's roofs predict.
std::string explanation(Session& session, const Exercise& exercise, const StudentAnswer& answer,
                        double predicted, double measured) {
  if (session.handout() || (exercise.needs_machine() && !session.machine())) return {};
  constexpr double kSame = 0.02;  // to match values that are within each other's tolerance
  const double of_roofs = in_base_units(session.reference(exercise, exercise.id), exercise.unit());
  if (!within(predicted, of_roofs, kSame, 0)) {
    return mistake_in_words(exercise, answer,
                            diagnose(predicted, of_roofs, exercise.rtol, dimension_of(exercise),
                                     listed_mistakes(session, exercise)));
  }
  const bool is_time = prediction_of(exercise).quantity == "time";
  const bool is_slower = is_time ? measured > predicted : measured < predicted;
  return std::string("This is what the stored roofs predict: the kernel itself is ") +
         (is_slower ? "slower" : "faster") + " here.";
}

/// The measured value of the requested quantity, in base units.
Interval measured_quantity(const Exercise& exercise, const OwnMeasurement& own) {
  const auto quantity = [&](double seconds) {
    return quantity_of(prediction_of(exercise).quantity, seconds, own.flops, own.bytes_moved);
  };
  const auto [low, high] = std::minmax({quantity(own.seconds.low), quantity(own.seconds.high)});
  return {low, quantity(own.seconds.median), high};
}

/// A verdict that contains both figures, before they are compared.
Verdict with_figures(const Exercise& exercise, double predicted, double measured) {
  Verdict verdict =
      verdict_for(exercise, Status::kFailed,
                  two_figures(exercise, "predicted", predicted, "measured", measured));
  verdict.metrics = {{"predicted", predicted}, {"measured", measured}};
  return verdict;
}

/// Whether the reference is so much faster than the stored roofs allow that they do not hold for
/// it. Re-measuring them may not show that: it uses the method that was fastest when they were
/// stored, perhaps on a busy machine.
bool passes_roofs(const Session& session, const OwnMeasurement& own) {
  if (!session.machine()) return false;
  const auto shortest =
      shortest_seconds(*session.machine(), kTimedPrecision, own.flops, own.bytes_moved);
  return shortest && own.seconds.median * kRoofMargin < *shortest;
}

}  // namespace

double prediction_share(double predicted, double measured, double rtol) {
  constexpr double kStep = 0.05;  // as in races, points move in steps
  constexpr double kNothing = 2;  // a factor of two earns nothing
  if (!(predicted > 0) || !(measured > 0)) return 0;
  const double factor = std::max(predicted / measured, measured / predicted);
  const double share = std::log(kNothing / factor) / std::log(kNothing / (1 + rtol));
  return std::clamp(std::round(share / kStep) * kStep, 0.0, 1.0);
}

bool is_beyond_noise(double predicted, double low, double high) {
  constexpr double kMost = 10;  // no machine that still responds is this busy
  return !(predicted * kMost >= low && predicted <= high * kMost);
}

Verdict verdict_on_prediction(Session& session, const Exercise& exercise,
                              const StudentAnswer& answer, double predicted,
                              const OwnMeasurement& own) {
  const Interval measured = measured_quantity(exercise, own);
  Verdict verdict = with_figures(exercise, predicted, measured.median);
  // Any prediction between the times of the legs is equally right.
  const double nearest = std::clamp(predicted, measured.low, measured.high);
  const double unit = in_base_units({1, exercise.unit(), {}}, {});
  const double share = within(predicted, nearest, exercise.rtol, exercise.atol * unit)
                           ? 1
                           : prediction_share(predicted, nearest, exercise.rtol);
  verdict.points = share * exercise.points;
  if (share > 0) verdict.status = share < 1 ? Status::kPartial : Status::kPassed;
  if (share == 1) return verdict;
  if (passes_roofs(session, own)) {
    return inconclusive(std::move(verdict), "the reference is faster than the stored roofs allow",
                        "They were measured while the machine was busy, or a cache holds the data."
                        "\nMeasure again while nothing else runs: ./lab start --measure");
  }
  verdict.message += ": " + distance_in_words(predicted, measured.median);
  verdict.detail = explanation(session, exercise, answer, predicted, measured.median);
  return verdict;
}

Verdict judge_prediction(Session& session, const Exercise& exercise, const StudentAnswer& answer,
                         double predicted, const OwnMeasurement& own) {
  const Interval measured = measured_quantity(exercise, own);
  if (is_beyond_noise(predicted, measured.low, measured.high)) {
    return verdict_on_prediction(session, exercise, answer, predicted, own);
  }
  if (own.load > 0) return too_busy(exercise, own);
  Verdict verdict = with_figures(exercise, predicted, measured.median);
  // The prediction came from the stored roofs and is only as good as they are.
  const auto look = look_at_roofs(session, kTimedPrecision, own.flops, own.bytes_moved);
  if (look && look->state() != RoofState::kAgrees) {
    return inconclusive(std::move(verdict), "the machine's roofs moved", look->complaint());
  }
  if (own.seconds.relative_width() > exercise.rtol) {
    return inconclusive(std::move(verdict), "the times vary too much: run again");
  }
  return verdict_on_prediction(session, exercise, answer, predicted, own);
}

Verdict grade_prediction(Session& session, const Exercise& exercise) {
  const StudentAnswer answer = session.student_answer(exercise);
  double predicted = 0;
  if (auto verdict = unreadable_number(exercise, answer, predicted, "prediction")) return *verdict;
  // A prediction is about the reference's program: it must not depend on the student's own kernel.
  const auto start = [&] { return start_trusted(session, exercise); };
  if (auto verdict = not_to_be_judged(session, exercise, start()->hello())) return *verdict;
  const OwnMeasurement own = measure(session, exercise, session.timed_size(exercise), start);
  return judge_prediction(session, exercise, answer, predicted, own);
}

constinit const KindRules kPredictionRules{.name = "prediction",
                                           .read = read_prediction,
                                           .judge = grade_prediction,
                                           .answer_form = number_form,
                                           .is_written = true,
                                           .has_answer = true,
                                           .has_kernels = true,
                                           .runs_on_device = true,
                                           .uses_reference = true,
                                           .is_timed = true,
                                           .needs_idle = true};

}  // namespace grader
