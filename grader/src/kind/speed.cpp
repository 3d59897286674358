// SPDX-License-Identifier: MIT
// Speed: student and reference run interleaved, and are compared with the measured roof.
#include "grader/kind/speed.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "exercise/declaration.hpp"
#include "grader/handout/handout.hpp"
#include "grader/judge/grade.hpp"
#include "grader/kind/profile.hpp"
#include "grader/timing/race.hpp"
#include "grader/timing/roof_look.hpp"
#include "grader/timing/timing.hpp"

namespace grader {
namespace {

constexpr std::size_t kKnownProblems = 2;

const SpeedExercise& speed_of(const Exercise& exercise) {
  return exercise.as<SpeedExercise>();
}

std::optional<VirtualRace> read_virtual_race(TableReader& reader, Complaints& complaints) {
  const toml::table* table = reader.table("virtual");
  if (table == nullptr) return std::nullopt;
  TableReader entry(*table, "virtual.", complaints);
  const VirtualRace race{entry.text("gpu", true), entry.integer("size", 0),
                         entry.number("microseconds", true, 0),
                         static_cast<int>(entry.integer("multiprocessors", 0))};
  entry.complain_about_unknown_keys();
  if (race.size <= 0) entry.complain("size", "is missing or not positive");
  if (race.microseconds <= 0) entry.complain("microseconds", "must be positive");
  if (race.multiprocessors < 0) entry.complain("multiprocessors", "must be positive");
  return race;
}

void read_speed(Declaration& declaration, Exercise& exercise) {
  TableReader& keys = declaration.keys();
  SpeedExercise own;
  declaration.read_program(exercise);
  declaration.read_tolerance(exercise);
  own.size = declaration.read_timed_size();
  own.full_ratio = keys.number("full_ratio", false, own.full_ratio);
  own.zero_ratio = keys.number("zero_ratio", false, own.zero_ratio);
  own.full_roof = keys.number("full_roof", false, own.full_roof);
  own.handout_roof = keys.number("handout_roof", false, own.full_roof);
  own.no_roof = keys.text("no_roof", false);
  own.virtual_race = read_virtual_race(keys, declaration.complaints());
  if (keys.has("precision")) own.precision = keys.text("precision", true);
  if (own.zero_ratio >= own.full_ratio) {
    keys.complain("zero_ratio", "must be less than full_ratio");
  }
  exercise.fields = std::move(own);
}

std::vector<Complaint> check_speed(const Exercise& exercise) {
  if (speed_of(exercise).handout_roof > 0 || !speed_of(exercise).no_roof.empty()) return {};
  return {{"handout_roof",
           "name the fraction of the roof that earns everything, or in no_roof why a roof "
           "cannot judge: a handout has nothing else"}};
}

HandedOut hand_out_speed(Session&, const Exercise& exercise, int) {
  if (speed_of(exercise).handout_roof > 0) return {};
  return {{}, {}, speed_of(exercise).no_roof};
}

/// A slow call on unseen inputs is repeated on other inputs: to look like reuse, other work on the
/// machine would have to hit the student's call every time and the reference's never.
constexpr std::size_t kFreshTries = 6;

/// Rounds of a leg. Other work on the machine may double the time of a call from one to the next,
/// so a leg takes as many rounds as fit into its time.
struct Pace {
  int least_rounds = 0;
  int most_rounds = 0;
  double seconds = 0;

  /// Whether a leg that began at `start` is complete before round `round`. The first round warms up
  /// caches, clocks and page tables, and does not count.
  bool is_over(int round, Clock::time_point start) const {
    const double passed = std::chrono::duration<double>(Clock::now() - start).count();
    return round > most_rounds || (round > least_rounds && passed > seconds);
  }
};
constexpr Pace kRacePace{5, 40, 1.3};
/// For speed that is only shown.
constexpr Pace kLookPace{3, 10, 0.2};

/// The problems that both programs hold from the beginning, and those that they first see in the
/// middle of a leg.
class RaceProblems {
 public:
  RaceProblems(Session& session, const Exercise& exercise)
      : session_(&session), exercise_(&exercise) {
    for (std::size_t i = 0; i < kKnownProblems; ++i) known.push_back(make(i));
  }
  /// Created on first use.
  const Problem& fresh(std::size_t number) {
    while (fresh_.size() <= number) fresh_.push_back(make(kKnownProblems + fresh_.size()));
    return fresh_[number];
  }

  std::vector<Problem> known;

 private:
  Problem make(std::size_t number) {
    return session_->oracle(exercise_->topic)
        .make_problem(exercise_->entry, session_->timed_size(*exercise_),
                      session_->seed_for(*exercise_) + number, false);
  }

  Session* session_;
  const Exercise* exercise_;
  std::deque<Problem> fresh_;  // programs keep references to them
};

/// Both programs freshly started, loaded, and run in turn. The placement of their memory differs
/// from start to start, and can make one of them faster than an identical program for as long as
/// they live. So a race has several legs.
class Leg {
 public:
  Leg(Session& session, const Exercise& exercise, const std::vector<Problem>& known, int number)
      : tolerance_{exercise.rtol, exercise.atol} {
    const std::uint64_t seed =
        session.seed_for(exercise) + 100 * static_cast<std::uint64_t>(number);
    fresh_round_ = static_cast<int>(harness::Random(seed + 75).integer(1, kRacePace.least_rounds));
    if (number % 2 == 0) student_ = session.start_student(exercise);
    reference_ = session.start_reference(exercise);
    if (!student_) student_ = session.start_student(exercise);
    const int copies = copies_for(reference_->hello(), known);
    timed_student_.emplace(*student_, exercise.entry, known, copies, seed, tolerance_);
    timed_reference_.emplace(*reference_, exercise.entry, known, copies, seed + 50, tolerance_);
    const double overhead = timed_reference_->overhead();
    timed_reference_->set_overhead(overhead);
    timed_student_->set_overhead(overhead);
  }

  /// What is wrong with the student's outputs, if anything: wrong results are not timed. With
  /// `unseen` problems, both programs get one of them in the middle of the rounds, and others at
  /// the end as long as `is_doubtful`.
  std::string run(const Pace& pace, RaceProblems* unseen,
                  const std::function<bool(const LegTimes&)>& is_doubtful = {}) {
    const auto start = Clock::now();
    for (int round = 0; !pace.is_over(round, start); ++round) {
      if (unseen != nullptr && round == fresh_round_) {
        if (std::string wrong = run_unseen(*unseen); !wrong.empty()) return wrong;
      }
      if (std::string wrong = run_round(round); !wrong.empty()) return wrong;
    }
    while (unseen != nullptr && fresh_tries_ < kFreshTries && is_doubtful(times())) {
      if (std::string wrong = run_unseen(*unseen); !wrong.empty()) return wrong;
    }
    return timed_student_->wrong(true);
  }

  /// Ratios of the lower quartiles: other work makes calls slower, never faster, so quartiles are
  /// more repeatable than medians.
  LegTimes times() const {
    const double seconds = lower_quartile(seconds_);
    const double ratio = lower_quartile(reference_seconds_) / seconds;
    return {ratio, seconds, fresh_tries_ > 0 ? ratio / fresh_ratio_ : 1};
  }

 private:
  struct RoundTimes {
    double reference = 0;
    double student = 0;
    std::string wrong;
  };

  std::string run_round(int round) {
    const RoundTimes times = time_both(round % 2 == 0, nullptr);
    if (round > 0) {
      reference_seconds_.push_back(times.reference);
      seconds_.push_back(times.student);
    }
    return times.wrong;
  }

  /// Keeps the best of the ratios on unseen inputs.
  std::string run_unseen(RaceProblems& unseen) {
    const RoundTimes times = time_both(fresh_tries_ % 2 == 0, &unseen.fresh(fresh_tries_));
    fresh_ratio_ = std::max(fresh_ratio_, times.reference / times.student);
    ++fresh_tries_;
    return times.wrong;
  }

  /// Outputs are read immediately: deferred work must not get time to finish. On unseen inputs all
  /// of them are read.
  RoundTimes time_both(bool student_first, const Problem* fresh) {
    RoundTimes times;
    if (!student_first) times.reference = time_beside(*student_, *timed_reference_, fresh);
    times.student = time_beside(*reference_, *timed_student_, fresh);
    times.wrong = timed_student_->wrong(fresh != nullptr);
    if (student_first) times.reference = time_beside(*student_, *timed_reference_, fresh);
    return times;
  }

  /// Times one program while the other's processes are stopped: a student's could slow down the
  /// reference, and a library's threads spin for a while after a call.
  static double time_beside(Program& other, TimedProgram& timed, const Problem* fresh) {
    other.pause();
    const double seconds = fresh == nullptr ? timed.batch() : timed.first_call(*fresh);
    other.resume();
    return seconds;
  }

  harness::Tolerance tolerance_;
  int fresh_round_ = 0;
  std::unique_ptr<Program> student_;
  std::unique_ptr<Program> reference_;
  std::optional<TimedProgram> timed_student_;
  std::optional<TimedProgram> timed_reference_;
  std::vector<double> reference_seconds_;
  std::vector<double> seconds_;
  std::size_t fresh_tries_ = 0;
  double fresh_ratio_ = 0;
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

void add_metrics(Verdict& verdict, const Problem& problem, double seconds,
                 std::optional<double> roof_fraction) {
  verdict.metrics = {{"seconds", seconds},
                     {"bytes_per_second", problem.bytes_moved / seconds},
                     {"flops_per_second", problem.flops / seconds},
                     {"flops_per_byte", problem.flops / problem.bytes_moved}};
  if (roof_fraction) verdict.metrics.emplace_back("roof_fraction", *roof_fraction);
}

void add_metrics(Verdict& verdict, const Problem& problem, const Race& race) {
  add_metrics(verdict, problem, race.seconds(), race.roof_fraction());
  const Interval ratio = race.ratio();
  verdict.metrics.insert(
      verdict.metrics.end(),
      {{"ratio_to_reference", ratio.median}, {"ratio_low", ratio.low}, {"ratio_high", ratio.high}});
}

std::string message_of(const Race& race) {
  std::string message = percent(race.ratio().median) + " of the reference's speed";
  if (const auto fraction = race.roof_fraction()) {
    message += ", " + percent(*fraction) + " of this machine's roof";
  }
  return message;
}

Verdict scored(const Exercise& exercise, const Race& race) {
  const double score = race.score();
  Verdict verdict = verdict_for(exercise, Status::kPartial, message_of(race));
  verdict.points = score * exercise.points;
  if (score >= 1 - kStep / 2) {
    verdict.status = Status::kPassed;
    verdict.points = exercise.points;
    return verdict;
  }
  if (score <= 0) verdict.status = Status::kFailed;
  verdict.detail =
      "All points from " + percent(speed_of(exercise).full_ratio) + " of the reference's speed";
  if (speed_of(exercise).full_roof > 0)
    verdict.detail += " or " + percent(speed_of(exercise).full_roof) + " of the roof";
  return verdict;
}

Verdict verdict_of(const Exercise& exercise, const Race& race, const Problem& problem,
                   std::optional<double> shortest) {
  Verdict verdict;
  if (const auto slower = race.kept_results()) {
    verdict = verdict_for(exercise, Status::kFailed,
                          "gives results of earlier calls again: their speed does not count");
    verdict.detail = results_kept_line(*slower);
  } else if (race.is_impossible()) {
    verdict = verdict_for(exercise, Status::kFailed,
                          "faster than this machine can be: the time is not believed");
    verdict.detail = roof_line(problem, race.seconds(), *shortest);
  } else if (!race.is_decided()) {
    verdict = verdict_for(exercise, Status::kInconclusive,
                          "inconclusive: the times vary too much; run again");
  } else {
    verdict = scored(exercise, race);
  }
  add_metrics(verdict, problem, race);
  return verdict;
}

/// The verdict on a program that must not be timed; nothing if it may be.
std::optional<Verdict> not_worth_timing(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_student(exercise);
  if (auto verdict = not_to_be_judged(session, exercise, student->hello())) return verdict;
  probe(*student, session.oracle(exercise.topic), exercise.entry);
  return std::nullopt;
}

Verdict wrong_results(const Exercise& exercise, std::string wrong) {
  Verdict verdict = verdict_for(exercise, Status::kFailed,
                                "the results are wrong, so their speed does not count");
  verdict.detail = std::move(wrong);
  return verdict;
}

/// The roofs that limit a problem, as measured now, and the time that they allow.
struct RoofHere {
  RoofHere(const Session& session, const Exercise& exercise, const Problem& problem)
      : look(look_at_roofs(session, speed_of(exercise).precision, problem.flops,
                           problem.bytes_moved)) {
    if (!look) return;
    shortest = shortest_seconds(look->machine(), speed_of(exercise).precision, problem.flops,
                                problem.bytes_moved);
  }
  void add_complaint(Verdict& verdict) const {
    const std::string complaint = look ? look->complaint() : "";
    if (complaint.empty()) return;
    verdict.detail += (verdict.detail.empty() ? "" : "\n") + complaint;
  }

  std::optional<RoofLook> look;
  std::optional<double> shortest;
};

/// The student's program alone: seconds per call in each of several freshly started legs.
struct LoneRun {
  std::vector<double> seconds;
  std::string wrong;
};

LoneRun time_alone(Session& session, const Exercise& exercise, const std::vector<Problem>& problems,
                   const Pace& pace, int legs) {
  LoneRun result;
  for (int leg = 0; leg < legs && result.wrong.empty(); ++leg) {
    const std::unique_ptr<Program> student = session.start_student(exercise);
    TimedProgram timed(*student, exercise.entry, problems, copies_for(student->hello(), problems),
                       session.seed_for(exercise) + static_cast<std::uint64_t>(leg),
                       {exercise.rtol, exercise.atol});
    timed.batch();
    result.wrong = timed.wrong(true);
    std::vector<double> samples;
    const auto start = Clock::now();
    for (int round = 1; !pace.is_over(round, start); ++round) samples.push_back(timed.batch());
    result.seconds.push_back(median_interval(std::move(samples)).median);
  }
  return result;
}

Verdict roof_cannot_judge(const Exercise& exercise) {
  if (speed_of(exercise).no_roof.empty()) return only_with_solutions(exercise);
  Verdict verdict = verdict_for(exercise, Status::kSkipped,
                                "judged only where the solution is there to race against");
  verdict.detail = "Not by this machine's roof: " + speed_of(exercise).no_roof;
  return verdict;
}

/// ./lab start measures the roofs that most labs need, in less than a minute, but not this one's.
Verdict roof_not_measured(const Session& session, const Exercise& exercise) {
  Verdict verdict =
      verdict_for(exercise, Status::kSkipped,
                  "this machine's " + speed_of(exercise).precision + " roof is not measured");
  const std::string program = (session.workspace().build / "bin" / "roofline").string();
  verdict.detail = "Measure all roofs: " + program + " measure --out " +
                   (session.workspace().build / "machine.json").string();
  return verdict;
}

/// Judges against the measured roof only, in a repository without solutions.
Verdict grade_by_roof(Session& session, const Exercise& exercise) {
  if (speed_of(exercise).handout_roof <= 0) return roof_cannot_judge(exercise);
  if (!session.machine()) {
    return verdict_for(exercise, Status::kSkipped,
                       "this machine has not been measured yet; run: ./lab start");
  }
  if (const auto verdict = not_worth_timing(session, exercise)) return *verdict;
  constexpr int kLegs = 3;
  const RaceProblems problems(session, exercise);
  const Problem& problem = problems.known.front();
  const RoofHere roof(session, exercise, problem);
  if (!roof.shortest) return roof_not_measured(session, exercise);
  LoneRun run = time_alone(session, exercise, problems.known, kRacePace, kLegs);
  if (!run.wrong.empty()) return wrong_results(exercise, std::move(run.wrong));
  const Interval seconds = median_interval(run.seconds);
  const auto score_at = [&](double time) {
    return speed_score(speed_of(exercise), *roof.shortest / time / speed_of(exercise).handout_roof);
  };
  const double fraction = *roof.shortest / seconds.median;
  Verdict verdict =
      verdict_for(exercise, Status::kPartial, percent(fraction) + " of this machine's roof");
  add_metrics(verdict, problem, seconds.median, fraction);
  const double score = score_at(seconds.median);
  if (fraction > kRoofMargin) {
    verdict.status = Status::kFailed;
    verdict.message += ": faster than this machine can be. Measure it again: ./lab start --measure";
  } else if (roof.look->state() == RoofState::kLowerNow && score < 1) {
    verdict.status = Status::kInconclusive;
    verdict.message += "; inconclusive, the machine is slower than its stored roofs say";
    roof.add_complaint(verdict);
  } else if (score_at(seconds.low) - score_at(seconds.high) > 2 * kStep + 1e-9) {
    verdict.status = Status::kInconclusive;
    verdict.message += "; inconclusive, the times vary too much: run again";
  } else {
    verdict.points = score * exercise.points;
    verdict.status = score >= 1 ? Status::kPassed : score > 0 ? Status::kPartial : Status::kFailed;
    verdict.detail = "All points from " + percent(speed_of(exercise).handout_roof) + " of the roof";
    roof.add_complaint(verdict);
  }
  return verdict;
}

/// A short measurement, if speed gives no points.
Verdict show(Session& session, const Exercise& exercise) {
  if (const auto verdict = not_worth_timing(session, exercise)) return *verdict;
  std::vector<Problem> problems =
      make_problems(session.oracle(exercise.topic), exercise.entry, session.timed_size(exercise),
                    session.seed_for(exercise), 1);
  const Problem& problem = problems.front();
  Verdict verdict = verdict_for(exercise, Status::kShown, "");
  if (session.handout()) {
    LoneRun run = time_alone(session, exercise, problems, kLookPace, 1);
    if (!run.wrong.empty()) return wrong_results(exercise, std::move(run.wrong));
    const RoofHere roof(session, exercise, problem);
    const double seconds = run.seconds.front();
    char text[80];
    std::snprintf(text, sizeof text, "%.4g GB/s and %.4g GFLOP/s",
                  problem.bytes_moved / seconds / 1e9, problem.flops / seconds / 1e9);
    verdict.message = text;
    if (roof.shortest) {
      verdict.message += ", " + percent(*roof.shortest / seconds) + " of this machine's roof";
      add_metrics(verdict, problem, seconds, *roof.shortest / seconds);
    }
    roof.add_complaint(verdict);
    return verdict;
  }
  Leg leg(session, exercise, problems, 0);
  std::string wrong = leg.run(kLookPace, nullptr);
  if (!wrong.empty()) return wrong_results(exercise, std::move(wrong));
  const RoofHere roof(session, exercise, problem);
  Race race(speed_of(exercise), roof.shortest);
  race.add(leg.times());
  verdict.message = message_of(race);
  add_metrics(verdict, problem, race);
  roof.add_complaint(verdict);
  return verdict;
}

Verdict grade_by_race(Session& session, const Exercise& exercise) {
  if (const auto verdict = not_worth_timing(session, exercise)) return *verdict;
  RaceProblems problems(session, exercise);
  const Problem& problem = problems.known.front();
  const RoofHere roof(session, exercise, problem);
  Race race(speed_of(exercise), roof.shortest);
  for (int number = 0; !race.is_over(); ++number) {
    Leg leg(session, exercise, problems.known, number);
    std::string wrong = leg.run(kRacePace, &problems, [&](const LegTimes& times) {
      return times.slower_on_fresh > kMostSlowerOnFresh || race.is_held_back(times);
    });
    if (!wrong.empty()) return wrong_results(exercise, std::move(wrong));
    race.add(leg.times());
  }
  Verdict verdict = verdict_of(exercise, race, problem, roof.shortest);
  roof.add_complaint(verdict);
  return verdict;
}

}  // namespace

Verdict grade_speed(Session& session, const Exercise& exercise) {
  if (speed_of(exercise).virtual_race && session.backend() == "cpu" &&
      !session.workspace().race_without_gpu) {
    return grade_virtual_race(session, exercise);
  }
  if (!session.gives_points_for(exercise)) return show(session, exercise);
  return session.handout() ? grade_by_roof(session, exercise) : grade_by_race(session, exercise);
}

constinit const KindRules kSpeedRules{.name = "speed",
                                      .read = read_speed,
                                      .judge = grade_speed,
                                      .hand_out = hand_out_speed,
                                      .check = check_speed,
                                      .has_kernels = true,
                                      .judges_how = true,
                                      .runs_on_device = true,
                                      .uses_reference = true,
                                      .is_timed = true,
                                      .is_shared = true};

}  // namespace grader
