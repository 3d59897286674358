// SPDX-License-Identifier: MIT
// Judges recorded measurements against the grader's own on the same machine.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "grader/grade.hpp"
#include "grader/number.hpp"
#include "grader/record.hpp"
#include "grader/roof_look.hpp"
#include "grader/timing.hpp"
#include "temporary_folder.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr int kProblems = 2;
constexpr int kBatchesOfLeg = 7;
constexpr std::size_t kLegs = 3;
/// So many legs that other work disturbed are run again.
constexpr std::size_t kMostDisturbed = 2;
/// The exercise's own tolerance is for rates; outputs only have to show that the work was done.
constexpr harness::Tolerance kOutputTolerance{1e-3, 0};

/// The grader's own measurement of a program.
struct OwnMeasurement {
  Interval seconds;  ///< median, and the lowest and highest median of a leg
  double flops = 0;
  double bytes_moved = 0;
  std::string wrong;  ///< what is wrong with the outputs; such a time means nothing
  double load = 0;    ///< share of the time that other work took in the leg it disturbed least; 0
                      ///< where enough legs were left alone
};

/// The course's program; where there is none, the student's own is what can be measured.
std::unique_ptr<Program> start_trusted(Session& session, const Exercise& exercise) {
  return session.handout() ? session.start_student(exercise) : session.start_reference(exercise);
}

/// Several legs, each with the program started afresh: where the system places its memory differs
/// from start to start, and so does its speed.
OwnMeasurement measure(Session& session, const Exercise& exercise, std::int64_t n,
                       const std::function<std::unique_ptr<Program>()>& start) {
  const std::uint64_t seed = session.seed_for(exercise);
  const std::vector<Problem> problems =
      make_problems(session.truth(exercise.topic), exercise.entry, n, seed, kProblems);
  OwnMeasurement own{{}, problems[0].flops, problems[0].bytes_moved, {}, 0};
  const std::unique_ptr<Program> program = start_trusted(session, exercise);
  const int copies = copies_for(program->hello(), problems);
  double overhead = 0;
  if (copies > 1) {
    TimedProgram trusted(*program, exercise.entry, problems, copies, seed, kOutputTolerance);
    overhead = trusted.overhead();
  }
  std::vector<double> medians;
  double least_load = 1;
  for (std::size_t leg = 0; medians.size() < kLegs; ++leg) {
    if (leg - medians.size() > kMostDisturbed) {
      own.load = least_load;
      return own;
    }
    const std::unique_ptr<Program> measured = start();
    TimedProgram timed(*measured, exercise.entry, problems, copies, seed + 1 + leg,
                       kOutputTolerance);
    timed.set_overhead(overhead);
    timed.batch();
    own.wrong = timed.wrong(true);
    if (!own.wrong.empty()) return own;
    std::vector<double> samples;
    const ProcessorTimes before = measured->processor_times();
    for (int i = 0; i < kBatchesOfLeg; ++i) samples.push_back(timed.batch());
    const double load = load_between(before, measured->processor_times());
    least_load = std::min(least_load, load);
    if (load <= exercise.rtol / 2) {
      medians.push_back(median_interval(std::move(samples)).median);
    }
  }
  own.seconds = {*std::min_element(medians.begin(), medians.end()), median_interval(medians).median,
                 *std::max_element(medians.begin(), medians.end())};
  return own;
}

double quantity_of(const Exercise& exercise, double seconds, double flops, double bytes_moved) {
  if (exercise.quantity == "time") return seconds;
  return (exercise.quantity == "flops" ? flops : bytes_moved) / seconds;
}

/// Runs the solution's program as a student would, so that the proof covers the recording too.
Record solution_record(const Session& session, const Exercise& exercise) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "record.json";
  Child child({{session.student_program(exercise).string(), "--entry", exercise.entry, "--n",
                std::to_string(session.timed_size(exercise)), "--json", file.string()},
               folder.path(),
               clean_environment()},
              Limits{});
  if (child.wait() != 0) throw ChildFailure(Failure::kError, child.output());
  return read_record(file);
}

Record student_record(const Session& session, const Exercise& exercise) {
  if (session.workspace().solutions) return solution_record(session, exercise);
  return read_record(session.student_folder(exercise.topic) / exercise.record);
}

std::string how_to_record(const Session& session, const Exercise& exercise) {
  const fs::path program =
      session.student_program(exercise).lexically_proximate(session.workspace().root);
  const std::string entry = exercise.entry == exercise.program ? "" : " --entry " + exercise.entry;
  return "Record it with:\n" + program.string() + entry + " --n " +
         std::to_string(session.timed_size(exercise)) + " --json topics/" + exercise.topic + "/" +
         exercise.record;
}

/// "recorded 21.3 GB/s, measured now 20.9 GB/s".
std::string two_figures(const Exercise& exercise, const char* first, double one, const char* second,
                        double other) {
  const double unit = roofline::parse_quantity("1 " + exercise.unit).value;
  char text[200];
  std::snprintf(text, sizeof text, "%s %.4g %s, %s %.4g %s", first, one / unit,
                exercise.unit.c_str(), second, other / unit, exercise.unit.c_str());
  return text;
}

Verdict inconclusive(Verdict verdict, const std::string& why, std::string detail = {}) {
  verdict.status = Status::kInconclusive;
  verdict.points = 0;
  verdict.message += (verdict.message.empty() ? "inconclusive, " : "; inconclusive, ") + why;
  verdict.detail = std::move(detail);
  return verdict;
}

Verdict too_busy(const Exercise& exercise, const OwnMeasurement& own) {
  char text[120];
  std::snprintf(
      text, sizeof text,
      "other work held the program up for %.0f %% of its time: run again on an idle machine",
      100 * own.load);
  return inconclusive(verdict_for(exercise), text);
}

bool is_above_roof(const std::optional<RoofLook>& look, const Exercise& exercise,
                   const Record& record) {
  if (!look) return false;
  const auto shortest =
      shortest_seconds(look->machine(), exercise.precision, record.flops, record.bytes_moved);
  return shortest && record.seconds * kRoofMargin < *shortest;
}

Verdict compare(const Session& session, const Exercise& exercise, const Record& record,
                const OwnMeasurement& own) {
  const auto quantity = [&](double seconds) {
    return quantity_of(exercise, seconds, own.flops, own.bytes_moved);
  };
  const double recorded = quantity(record.seconds);
  const double measured = quantity(own.seconds.median);
  Verdict verdict =
      verdict_for(exercise, Status::kPassed,
                  two_figures(exercise, "recorded", recorded, "measured now", measured));
  verdict.metrics = {{"recorded", recorded}, {"measured", measured}};
  const bool is_steady = own.seconds.relative_width() <= exercise.rtol;
  const double most = quantity(is_steady ? own.seconds.low : own.seconds.median);
  const double least = quantity(is_steady ? own.seconds.high : own.seconds.median);
  if (recorded >= std::min(least, most) * (1 - exercise.rtol) &&
      recorded <= std::max(least, most) * (1 + exercise.rtol)) {
    return verdict;
  }
  const auto look = look_at_roofs(session, exercise.precision, own.flops, own.bytes_moved);
  if (is_above_roof(look, exercise, record)) {
    verdict.message += ": it lies above this machine's roof, where no measurement can be";
    verdict.detail = how_to_record(session, exercise);
  } else if (look && look->state() != RoofState::kAgrees) {
    return inconclusive(std::move(verdict), "the machine's roofs moved", look->complaint());
  } else if (!is_steady) {
    return inconclusive(std::move(verdict), "the times vary too much: run again");
  } else {
    verdict.message += ": too far apart";
    verdict.detail = "Record it again on an idle machine.";
  }
  verdict.status = Status::kFailed;
  verdict.points = 0;
  return verdict;
}

}  // namespace

Verdict grade_measurement(Session& session, const Exercise& exercise) {
  const auto unfit = [&](const Hello& hello) { return not_to_be_judged(session, exercise, hello); };
  if (auto verdict = unfit(session.start_student(exercise)->hello())) return *verdict;
  const Hello hello = start_trusted(session, exercise)->hello();
  if (auto verdict = unfit(hello)) return *verdict;
  Record record;
  try {
    record = student_record(session, exercise);
  } catch (const ChildFailure&) {
    throw;
  } catch (const std::runtime_error& error) {
    const bool missing = !fs::exists(session.student_folder(exercise.topic) / exercise.record);
    Verdict verdict = verdict_for(exercise, missing ? Status::kUnsolved : Status::kFailed,
                                  (missing ? "unsolved: " : "") + std::string(error.what()));
    verdict.detail = how_to_record(session, exercise);
    return verdict;
  }
  const auto refuse = [&](const std::string& why) {
    Verdict verdict = verdict_for(exercise, Status::kFailed, why);
    verdict.detail = how_to_record(session, exercise);
    return verdict;
  };
  const std::string wrong = contradiction(
      record, {exercise.entry, session.backend(), hello.device, session.timed_size(exercise)});
  if (!wrong.empty()) return refuse(wrong);
  const OwnMeasurement own =
      measure(session, exercise, record.n, [&] { return session.start_student(exercise); });
  if (!own.wrong.empty()) {
    Verdict verdict = verdict_for(exercise, Status::kFailed,
                                  "the program's results are wrong, so its speed means nothing");
    verdict.detail = own.wrong;
    return verdict;
  }
  const std::string other = other_work(record, own.flops, own.bytes_moved);
  if (!other.empty()) return refuse(other);
  if (own.load > 0) return too_busy(exercise, own);
  return compare(session, exercise, record, own);
}

double prediction_share(double predicted, double measured, double rtol) {
  constexpr double kStep = 0.05;  // as in races, points move in steps
  constexpr double kNothing = 2;  // a factor of two earns nothing
  if (!(predicted > 0) || !(measured > 0)) return 0;
  const double factor = std::max(predicted / measured, measured / predicted);
  const double share = std::log(kNothing / factor) / std::log(kNothing / (1 + rtol));
  return std::clamp(std::round(share / kStep) * kStep, 0.0, 1.0);
}

namespace {

Verdict judge_prediction(const Session& session, const Exercise& exercise, double predicted,
                         const OwnMeasurement& own) {
  const auto quantity = [&](double seconds) {
    return quantity_of(exercise, seconds, own.flops, own.bytes_moved);
  };
  const double measured = quantity(own.seconds.median);
  Verdict verdict =
      verdict_for(exercise, Status::kFailed,
                  two_figures(exercise, "predicted", predicted, "measured", measured));
  verdict.metrics = {{"predicted", predicted}, {"measured", measured}};
  // It was predicted from the stored roofs, and is as right as they are.
  const auto look = look_at_roofs(session, exercise.precision, own.flops, own.bytes_moved);
  if (look && look->state() != RoofState::kAgrees) {
    return inconclusive(std::move(verdict), "the machine's roofs moved", look->complaint());
  }
  if (own.seconds.relative_width() > exercise.rtol) {
    return inconclusive(std::move(verdict), "the times vary too much: run again");
  }
  // What lies between the legs is as right as they are.
  const auto [least, most] = std::minmax({quantity(own.seconds.low), quantity(own.seconds.high)});
  const double nearest = std::clamp(predicted, least, most);
  const double unit = roofline::parse_quantity("1 " + exercise.unit).value;
  const double share = within(predicted, nearest, exercise.rtol, exercise.atol * unit)
                           ? 1
                           : prediction_share(predicted, nearest, exercise.rtol);
  verdict.points = share * exercise.points;
  if (share > 0) verdict.status = share < 1 ? Status::kPartial : Status::kPassed;
  if (share < 1) verdict.message += ": " + distance_in_words(predicted, measured);
  return verdict;
}

}  // namespace

Verdict grade_prediction(Session& session, const Exercise& exercise) {
  const StudentAnswer answer = session.student_answer(exercise);
  if (!answer.problem.empty()) return verdict_for(exercise, Status::kFailed, answer.problem);
  if (answer.text.empty()) {
    return verdict_for(exercise, Status::kUnsolved,
                       "unsolved: no prediction yet in topics/" + exercise.topic + "/answers.toml");
  }
  double predicted = 0;
  try {
    predicted = parse_number(answer.text, exercise.unit);
  } catch (const std::invalid_argument& error) {
    Verdict verdict = verdict_for(exercise, Status::kFailed, "the answer cannot be read");
    verdict.detail = harmless(error.what());
    return verdict;
  }
  // A prediction is of the reference's program: it must not depend on the student's own kernel.
  const auto start = [&] { return start_trusted(session, exercise); };
  if (auto verdict = not_to_be_judged(session, exercise, start()->hello())) return *verdict;
  const OwnMeasurement own = measure(session, exercise, session.timed_size(exercise), start);
  if (own.load > 0) return too_busy(exercise, own);
  return judge_prediction(session, exercise, predicted, own);
}

}  // namespace grader
