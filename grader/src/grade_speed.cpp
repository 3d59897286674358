// SPDX-License-Identifier: MIT
// Judges speed: student and reference interleaved, the measured roof beside them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "grader/grade.hpp"
#include "grader/timing.hpp"

namespace grader {
namespace {

constexpr int kProblems = 2;
/// A call may take twice as long as the one before it, from nothing but the machine's other work: a
/// leg takes as many rounds as fit into its time.
constexpr int kLeastRounds = 5;
constexpr int kMostRounds = 40;
constexpr double kLegSeconds = 1.3;
/// Where all of so many legs earn all points or all of them none, no more are run. What lies
/// between is checked by more of them.
constexpr int kLegs = 3;
constexpr int kLegsForPart = 6;
constexpr int kMostLegs = 12;
/// A time this much below the measured roof's is taken as impossible, not as a fast kernel: roofs
/// are medians and have spread themselves.
constexpr double kRoofMargin = 1.3;
/// What noise does not do to the first call on new numbers in every one of kLegsForPart legs. A
/// result that is kept and given again must have been worked out once: that call is as slow as the
/// kernel is.
constexpr double kMostSlowerOnFresh = 2;
/// The score moves in steps of this fraction of the points.
constexpr double kStep = 0.05;

double share(double value, double zero, double full) {
  return std::clamp((value - zero) / (full - zero), 0.0, 1.0);
}

/// What the times say, as fractions of the reference and of the roof.
struct SpeedResult {
  Interval ratio;  ///< reference time / student time, leg by leg
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
  /// Whether every point of the interval earns all points, or every point of it none.
  bool is_clear(const Exercise& exercise) const {
    return score(exercise, ratio.low) >= 1 || score(exercise, ratio.high) <= 0;
  }
};

/// Whether a leg that began at `start` has had its rounds when it would begin round `round`.
bool is_over(int round, Clock::time_point start) {
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return round > kMostRounds || (round > kLeastRounds && seconds > kLegSeconds);
}

/// What both programs are loaded with, and a problem that they see in the middle of a leg only.
struct RaceProblems {
  std::vector<Problem> known;
  Problem fresh;
};

/// Both programs freshly started, loaded, and run in turn. Where the system places their memory
/// differs from start to start, and can make one of them faster than its own twin for as long as
/// they live; so a race has several legs.
class Leg {
 public:
  Leg(Session& session, const Exercise& exercise, const RaceProblems& problems, int number)
      : tolerance_{exercise.rtol, exercise.atol}, fresh_(&problems.fresh) {
    const std::uint64_t seed =
        session.seed_for(exercise) + 100 * static_cast<std::uint64_t>(number);
    fresh_round_ = static_cast<int>(harness::Random(seed + 75).integer(1, kLeastRounds));
    if (number % 2 == 0) student_ = session.start_student(exercise);
    reference_ = session.start_reference(exercise);
    if (!student_) student_ = session.start_student(exercise);
    const std::vector<Problem>& known = problems.known;
    const int copies = copies_for(reference_->hello(), known);
    timed_student_.emplace(*student_, exercise.entry, known, copies, seed, tolerance_);
    timed_reference_.emplace(*reference_, exercise.entry, known, copies, seed + 50, tolerance_);
    const double overhead = timed_reference_->overhead();
    timed_reference_->set_overhead(overhead);
    timed_student_->set_overhead(overhead);
  }

  /// What is wrong with the student's outputs, if anything: nothing wrong is timed.
  std::string run() {
    const auto start = Clock::now();
    // The first round warms caches, clocks and page tables.
    for (int round = 0; !is_over(round, start); ++round) {
      std::string wrong = run_round(round);
      if (!wrong.empty()) return wrong;
    }
    return timed_student_->wrong(true);
  }
  /// Of the quick quarters: what else the machine does makes calls slower and never quicker, so
  /// they repeat better than the middles.
  double ratio() const { return lower_quartile(reference_seconds_) / lower_quartile(seconds_); }
  /// Of the student's calls.
  const std::vector<double>& seconds() const { return seconds_; }
  /// How much longer the student's first call on new numbers took than its other calls, where the
  /// reference's took as long as ever.
  double slower_on_fresh() const { return ratio() / fresh_ratio_; }

 private:
  std::string run_round(int round) {
    const Problem* fresh = round == fresh_round_ ? fresh_ : nullptr;
    const bool student_first = round % 2 == 0;
    double reference_seconds = student_first ? 0 : time_beside(*student_, *timed_reference_, fresh);
    const double student_seconds = time_beside(*reference_, *timed_student_, fresh);
    // At once: work that was put off must not get the time to be finished.
    std::string wrong = timed_student_->wrong(false);
    if (!wrong.empty()) return wrong;
    if (student_first) reference_seconds = time_beside(*student_, *timed_reference_, fresh);
    if (fresh != nullptr) {
      fresh_ratio_ = reference_seconds / student_seconds;
    } else if (round > 0) {
      reference_seconds_.push_back(reference_seconds);
      seconds_.push_back(student_seconds);
    }
    return {};
  }

  /// The other program's processes stand still: a student's could slow the reference down, and
  /// threads of a library still spin for a while after a call.
  static double time_beside(Program& other, TimedProgram& timed, const Problem* fresh) {
    other.pause();
    const double seconds = fresh == nullptr ? timed.batch() : timed.first_call(*fresh);
    other.resume();
    return seconds;
  }

  harness::Tolerance tolerance_;
  const Problem* fresh_;
  int fresh_round_ = 0;
  std::unique_ptr<Program> student_;
  std::unique_ptr<Program> reference_;
  std::optional<TimedProgram> timed_student_;
  std::optional<TimedProgram> timed_reference_;
  std::vector<double> reference_seconds_;
  std::vector<double> seconds_;
  double fresh_ratio_ = 1;
};

std::string percent(double fraction) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * fraction);
  return text;
}

std::string results_kept_line(double slower) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "on numbers that it has not seen, a call takes at least %.1f times as long as on numbers "
      "that it has; the reference's takes as long on both",
      slower);
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
    if (exercise.full_roof > 0) {
      verdict.detail += " or " + percent(exercise.full_roof) + " of the roof";
    }
  }
  add_metrics(verdict, result, problem);
  return verdict;
}

/// The verdict on a program that there is no sense in timing; nothing when there is.
std::optional<Verdict> not_worth_timing(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_student(exercise);
  if (student->hello().device.empty()) {
    return verdict_for(exercise, Status::kSkipped,
                       "no device for the " + session.backend() + " build on this machine");
  }
  probe(*student, session.truth(exercise.topic), exercise.entry);
  return std::nullopt;
}

std::vector<Problem> timed_problems(Session& session, const Exercise& exercise, int count) {
  const std::int64_t n = session.backend() == "cpu" ? exercise.size : exercise.gpu_size;
  return make_problems(session.truth(exercise.topic), exercise.entry, n, session.seed_for(exercise),
                       count);
}

RaceProblems race_problems(Session& session, const Exercise& exercise) {
  RaceProblems problems{timed_problems(session, exercise, kProblems + 1), {}};
  problems.fresh = std::move(problems.known.back());
  problems.known.pop_back();
  return problems;
}

Verdict wrong_results(const Exercise& exercise, std::string wrong) {
  Verdict verdict = verdict_for(exercise, Status::kFailed,
                                "the results are wrong, so their speed does not count");
  verdict.detail = std::move(wrong);
  return verdict;
}

/// The student's program alone: seconds of a call in each of several freshly started legs.
struct LoneRun {
  std::vector<double> seconds;
  std::string wrong;
};

LoneRun time_alone(Session& session, const Exercise& exercise,
                   const std::vector<Problem>& problems) {
  LoneRun result;
  for (int leg = 0; leg < kLegs && result.wrong.empty(); ++leg) {
    const std::unique_ptr<Program> student = session.start_student(exercise);
    TimedProgram timed(*student, exercise.entry, problems, copies_for(student->hello(), problems),
                       session.seed_for(exercise) + static_cast<std::uint64_t>(leg),
                       {exercise.rtol, exercise.atol});
    timed.batch();
    result.wrong = timed.wrong(true);
    std::vector<double> samples;
    const auto start = Clock::now();
    for (int round = 1; !is_over(round, start); ++round) samples.push_back(timed.batch());
    result.seconds.push_back(median_interval(std::move(samples)).median);
  }
  return result;
}

/// Points of a fraction of the roof, as a share of all, in steps.
double roof_score(const Exercise& exercise, double full, double fraction) {
  const double zero = full * exercise.zero_ratio / exercise.full_ratio;
  return std::round(share(fraction, zero, full) / kStep) * kStep;
}

Verdict roof_cannot_judge(const Exercise& exercise) {
  if (exercise.no_roof.empty()) return only_with_solutions(exercise);
  Verdict verdict = verdict_for(exercise, Status::kSkipped,
                                "judged only where the solution is there to race against");
  verdict.detail = "Not by this machine's roof: " + exercise.no_roof;
  return verdict;
}

/// ./lab start measures the roofs that most labs need, in less than a minute; not this one's.
Verdict roof_not_measured(const Session& session, const Exercise& exercise) {
  Verdict verdict = verdict_for(exercise, Status::kSkipped,
                                "this machine's " + exercise.precision + " roof is not measured");
  const std::string program = (session.workspace().build / "bin" / "roofline").string();
  verdict.detail = "Measure all roofs: " + program + " measure --out " +
                   (session.workspace().build / "machine.json").string();
  return verdict;
}

}  // namespace

Verdict grade_speed_by_roof(Session& session, const Exercise& exercise) {
  const double full_roof = handout_roof_on(exercise, session.backend());
  if (full_roof <= 0) return roof_cannot_judge(exercise);
  if (!session.machine()) {
    return verdict_for(exercise, Status::kSkipped,
                       "this machine has not been measured yet; run: ./lab start");
  }
  if (const auto verdict = not_worth_timing(session, exercise)) return *verdict;
  const std::vector<Problem> problems = timed_problems(session, exercise, kProblems);
  const Problem& problem = problems.front();
  const auto shortest =
      shortest_seconds(*session.machine(), exercise.precision, problem.flops, problem.bytes_moved);
  if (!shortest) return roof_not_measured(session, exercise);
  LoneRun run = time_alone(session, exercise, problems);
  if (!run.wrong.empty()) return wrong_results(exercise, std::move(run.wrong));
  const Interval seconds = median_interval(run.seconds);
  const double fraction = *shortest / seconds.median;
  Verdict verdict =
      verdict_for(exercise, Status::kPartial, percent(fraction) + " of this machine's roof");
  verdict.metrics = {{"seconds", seconds.median},
                     {"bytes_per_second", problem.bytes_moved / seconds.median},
                     {"flops_per_second", problem.flops / seconds.median},
                     {"flops_per_byte", problem.flops / problem.bytes_moved},
                     {"roof_fraction", fraction}};
  const double score = roof_score(exercise, full_roof, fraction);
  const double spread = roof_score(exercise, full_roof, *shortest / seconds.low) -
                        roof_score(exercise, full_roof, *shortest / seconds.high);
  if (fraction > kRoofMargin) {
    verdict.status = Status::kFailed;
    verdict.message += ": faster than this machine can be. Measure it again: ./lab start --measure";
  } else if (spread > 2 * kStep + 1e-9) {
    verdict.status = Status::kInconclusive;
    verdict.message += "; inconclusive, the times vary too much: run again";
  } else {
    verdict.points = score * exercise.points;
    verdict.status = score >= 1 ? Status::kPassed : score > 0 ? Status::kPartial : Status::kFailed;
    verdict.detail = "All points from " + percent(full_roof) + " of the roof";
  }
  return verdict;
}

Verdict grade_speed(Session& session, const Exercise& exercise) {
  if (const auto verdict = not_worth_timing(session, exercise)) return *verdict;
  const RaceProblems problems = race_problems(session, exercise);
  const Problem& problem = problems.known.front();
  if (std::string other = work_left_out(session, exercise, problem); !other.empty()) {
    Verdict verdict = verdict_for(exercise, Status::kFailed,
                                  "does other work than needed, so its speed does not count");
    verdict.detail = std::move(other);
    return verdict;
  }
  std::optional<double> shortest;
  if (session.machine()) {
    shortest = shortest_seconds(*session.machine(), exercise.precision, problem.flops,
                                problem.bytes_moved);
  }
  SpeedResult result;
  std::vector<double> ratios;
  std::vector<double> seconds;
  double slower_on_fresh = std::numeric_limits<double>::infinity();
  for (int number = 0; number < kMostLegs; ++number) {
    Leg leg(session, exercise, problems, number);
    std::string wrong = leg.run();
    if (!wrong.empty()) return wrong_results(exercise, std::move(wrong));
    ratios.push_back(leg.ratio());
    seconds.insert(seconds.end(), leg.seconds().begin(), leg.seconds().end());
    slower_on_fresh = std::min(slower_on_fresh, leg.slower_on_fresh());
    result = {median_interval(ratios), median_interval(seconds).median, std::nullopt};
    if (shortest) result.roof_fraction = *shortest / result.seconds;
    const int legs = number + 1;
    const bool is_kept = slower_on_fresh > kMostSlowerOnFresh;
    if (legs >= kLegs && result.is_clear(exercise) && !is_kept) break;
    if (legs >= kLegsForPart && result.is_decided(exercise)) break;
  }
  if (slower_on_fresh > kMostSlowerOnFresh) {
    Verdict verdict =
        verdict_for(exercise, Status::kFailed,
                    "gives results of earlier calls again: their speed does not count");
    verdict.detail = results_kept_line(slower_on_fresh);
    add_metrics(verdict, result, problem);
    return verdict;
  }
  // Roofs that were measured on a busier machine are too low; then the reference beats them too.
  if (shortest && result.seconds * kRoofMargin < *shortest && result.ratio.median > kRoofMargin) {
    Verdict verdict = verdict_for(exercise, Status::kFailed,
                                  "faster than this machine can be: the time is not believed");
    verdict.detail = roof_line(problem, result.seconds, *shortest);
    add_metrics(verdict, result, problem);
    return verdict;
  }
  if (!result.is_decided(exercise)) {
    Verdict verdict = verdict_for(exercise, Status::kInconclusive,
                                  "inconclusive: the times vary too much; run again");
    add_metrics(verdict, result, problem);
    return verdict;
  }
  return judge(exercise, result, problem);
}

}  // namespace grader
