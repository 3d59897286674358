// SPDX-License-Identifier: MIT
// Judges speed: student and reference interleaved, the measured roof beside them.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "grader/grade.hpp"
#include "grader/timing.hpp"

namespace grader {
namespace {

constexpr int kProblems = 3;
constexpr int kRounds = 15;
constexpr int kMostRounds = 60;
/// A time this much below the measured roof's is taken as impossible, not as a fast kernel: roofs
/// are medians and have spread themselves.
constexpr double kRoofMargin = 1.3;
/// The score moves in steps of this fraction of the points.
constexpr double kStep = 0.05;

double share(double value, double zero, double full) {
  return std::clamp((value - zero) / (full - zero), 0.0, 1.0);
}

/// What the times say, as fractions of the reference and of the roof.
struct SpeedResult {
  Interval ratio;  ///< reference time / student time, round by round
  double seconds = 0;
  std::optional<double> roof_fraction;

  double score(const Exercise& exercise, double at_ratio) const {
    double best = share(at_ratio, exercise.zero_ratio, exercise.full_ratio);
    if (exercise.full_roof > 0 && roof_fraction) {
      const double zero_roof = exercise.full_roof * exercise.zero_ratio / exercise.full_ratio;
      // As uncertain as the ratio: the fraction moves with the same time.
      const double fraction = *roof_fraction * at_ratio / ratio.median;
      best = std::max(best, share(fraction, zero_roof, exercise.full_roof));
    }
    return std::round(best / kStep) * kStep;
  }
  bool is_decided(const Exercise& exercise) const {
    return score(exercise, ratio.high) - score(exercise, ratio.low) <= 2 * kStep + 1e-9;
  }
};

/// Interleaves the two programs round by round.
class Race {
 public:
  Race(Session& session, const Exercise& exercise, Program& student, Program& reference,
       std::int64_t n)
      : exercise_(&exercise),
        student_program_(&student),
        problems_(make_problems(session.truth(exercise.topic), exercise.entry, n,
                                session.seed_for(exercise), kProblems)),
        student_(student, exercise.entry, problems_, session.seed_for(exercise) + 100,
                 {exercise.rtol, exercise.atol}),
        reference_(reference, exercise.entry, problems_, session.seed_for(exercise) + 200,
                   {exercise.rtol, exercise.atol}) {}

  /// What is wrong with the student's outputs, if anything: nothing wrong is timed.
  std::string rounds(int count) {
    for (int i = 0; i < count; ++i) {
      const bool student_first = samples_ % 2 == 0;
      double reference_seconds = student_first ? 0 : time_reference();
      const double student_seconds = student_.batch();
      // At once: work that was put off must not get the time to be finished.
      const bool last = i + 1 == count;
      std::string wrong = student_.wrong(last);
      if (!wrong.empty()) return wrong;
      if (student_first) reference_seconds = time_reference();
      if (samples_++ == 0) continue;  // the first round warms caches, clocks and page tables
      ratios_.push_back(reference_seconds / student_seconds);
      seconds_.push_back(student_seconds);
    }
    return {};
  }
  SpeedResult result() const {
    return {median_interval(ratios_), median_interval(seconds_).median, {}};
  }
  const Problem& problem() const { return problems_.front(); }

 private:
  /// The student's processes stand still: they could slow the reference down.
  double time_reference() {
    student_program_->pause();
    const double seconds = reference_.batch();
    student_program_->resume();
    return seconds;
  }

  const Exercise* exercise_;
  Program* student_program_;
  std::vector<Problem> problems_;
  TimedProgram student_;
  TimedProgram reference_;
  std::vector<double> ratios_;
  std::vector<double> seconds_;
  int samples_ = 0;
};

std::string percent(double fraction) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * fraction);
  return text;
}

std::string roof_line(const Problem& problem, double seconds, double shortest) {
  char text[200];
  std::snprintf(text, sizeof text,
                "%.4g GB/s and %.4g GFLOP/s; this machine's roof allows %.4g s, and it took %.4g s",
                problem.bytes_moved / seconds / 1e9, problem.flops / seconds / 1e9, shortest,
                seconds);
  return text;
}

void add_metrics(Verdict& verdict, const SpeedResult& result, const Problem& problem) {
  verdict.metrics = {{"seconds", result.seconds},
                     {"ratio_to_reference", result.ratio.median},
                     {"ratio_low", result.ratio.low},
                     {"ratio_high", result.ratio.high},
                     {"bytes_per_second", problem.bytes_moved / result.seconds},
                     {"flops_per_second", problem.flops / result.seconds},
                     {"flops_per_byte", problem.flops / problem.bytes_moved}};
  if (result.roof_fraction) verdict.metrics.emplace_back("roof_fraction", *result.roof_fraction);
}

Verdict judge(const Exercise& exercise, const SpeedResult& result, const Problem& problem) {
  const double score = result.score(exercise, result.ratio.median);
  std::string message = percent(result.ratio.median) + " of the reference's speed";
  if (result.roof_fraction) {
    message += ", " + percent(*result.roof_fraction) + " of this machine's roof";
  }
  Verdict verdict = verdict_for(exercise, Status::kPartial, message);
  verdict.points = score * exercise.points;
  if (score >= 1 - kStep / 2) {
    verdict.status = Status::kPassed;
    verdict.points = exercise.points;
  } else if (score <= 0) {
    verdict.status = Status::kFailed;
  }
  if (verdict.status != Status::kPassed) {
    verdict.detail =
        "All points from " + percent(exercise.full_ratio) + " of the reference's speed";
    if (exercise.full_roof > 0)
      verdict.detail += " or " + percent(exercise.full_roof) + " of the roof";
  }
  add_metrics(verdict, result, problem);
  return verdict;
}

}  // namespace

Verdict grade_speed(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_student(exercise);
  const Hello hello = student->hello();
  if (hello.device.empty()) {
    return verdict_for(exercise, Status::kSkipped,
                       "no device for the " + session.backend() + " build on this machine");
  }
  probe(*student, session.truth(exercise.topic), exercise.entry);
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  const std::int64_t n = session.backend() == "cpu" ? exercise.size : exercise.gpu_size;
  Race race(session, exercise, *student, *reference, n);
  SpeedResult result;
  std::optional<double> shortest;
  int rounds = 0;
  for (int count = kRounds; rounds < kMostRounds; rounds += count) {
    std::string wrong = race.rounds(count);
    if (!wrong.empty()) {
      Verdict verdict = verdict_for(exercise, Status::kFailed,
                                    "the results are wrong, so their speed does not count");
      verdict.detail = std::move(wrong);
      return verdict;
    }
    result = race.result();
    if (session.machine()) {
      shortest = shortest_seconds(*session.machine(), exercise.precision, race.problem().flops,
                                  race.problem().bytes_moved);
    }
    if (shortest) result.roof_fraction = *shortest / result.seconds;
    if (result.is_decided(exercise)) break;
  }
  if (shortest && result.seconds * kRoofMargin < *shortest) {
    Verdict verdict = verdict_for(exercise, Status::kFailed,
                                  "faster than this machine can be: the time is not believed");
    verdict.detail = roof_line(race.problem(), result.seconds, *shortest);
    add_metrics(verdict, result, race.problem());
    return verdict;
  }
  if (!result.is_decided(exercise)) {
    Verdict verdict = verdict_for(exercise, Status::kInconclusive,
                                  "inconclusive: the times vary too much; run again");
    add_metrics(verdict, result, race.problem());
    return verdict;
  }
  return judge(exercise, result, race.problem());
}

}  // namespace grader
