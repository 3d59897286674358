// SPDX-License-Identifier: MIT
// Reads recorded measurements, and compares them with the grader's own on the same machine.
#include "grader/kind/measurement.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/files.hpp"
#include "exercise/declaration.hpp"
#include "grader/judge/grade.hpp"
#include "grader/timing/own_measurement.hpp"
#include "grader/timing/record.hpp"
#include "grader/timing/roof_look.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

const MeasurementExercise& measurement_of(const Exercise& exercise) {
  return exercise.as<MeasurementExercise>();
}

void read_measurement(Declaration& declaration, Exercise& exercise) {
  TableReader& keys = declaration.keys();
  MeasurementExercise own;
  own.unit = keys.text("unit", true);
  own.quantity = declaration.read_quantity();
  declaration.read_program(exercise);
  declaration.read_tolerance(exercise);
  own.size = declaration.read_timed_size();
  own.record = keys.text("record", true);
  exercise.fields = std::move(own);
}

/// Runs the solution's program as a student would, so that the proof also covers recording.
Record solution_record(const Session& session, const Exercise& exercise) {
  const base::TemporaryFolder folder;
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
  return read_record(session.student_folder(exercise.topic) / measurement_of(exercise).record);
}

std::string how_to_record(const Session& session, const Exercise& exercise) {
  const fs::path program =
      session.student_program(exercise).lexically_proximate(session.workspace().root);
  // The entry is always named, because a program with several entries records one at a time. The
  // line breaks are backslashes for the shell, so that 80 columns are enough.
  return "Record it with:\n" + program.string() + " \\\n--entry " + exercise.entry + " --n " +
         std::to_string(session.timed_size(exercise)) + " \\\n--json topics/" + exercise.topic +
         "/" + measurement_of(exercise).record;
}

/// No machine's speed changes by more from one measurement to another.
constexpr double kFar = 2;

bool is_above_roof(const RoofLook& look, double seconds, const OwnMeasurement& own) {
  const auto shortest =
      shortest_seconds(look.machine(), kTimedPrecision, own.flops, own.bytes_moved);
  return shortest && seconds * kRoofMargin < *shortest;
}

}  // namespace

Verdict judge_record(const Exercise& exercise, const Record& record, const OwnMeasurement& own,
                     const std::optional<RoofLook>& look, const std::string& how_to_record) {
  const auto quantity = [&](double seconds) {
    return quantity_of(measurement_of(exercise).quantity, seconds, own.flops, own.bytes_moved);
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
  const bool agrees = recorded >= std::min(least, most) * (1 - exercise.rtol) &&
                      recorded <= std::max(least, most) * (1 + exercise.rtol);
  if (agrees) {
    // A kernel that skips work is as fast now as when it was recorded.
    if (!look || !is_above_roof(*look, own.seconds.median, own)) return verdict;
    return inconclusive(std::move(verdict), "both are above this machine's roof",
                        "Either the roofs were measured while the machine was busy, or the kernel "
                        "does less than it should.\nMeasure the roofs again while nothing else "
                        "runs: ./lab start --measure");
  }
  // Roofs that moved and times that vary may put an honest record above the roof, but not far.
  const bool is_far = record.seconds * kFar < own.seconds.low;
  const bool is_quiet = is_steady && look && look->state() == RoofState::kAgrees;
  if (look && is_above_roof(*look, record.seconds, own) && (is_far || is_quiet)) {
    verdict.message += ": it is above this machine's roof, which no measurement can exceed";
    verdict.detail = how_to_record;
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

Verdict judge_until_agreed(const Exercise& exercise, const Record& record, OwnMeasurement own,
                           const std::function<OwnMeasurement()>& measure_again,
                           const std::function<Verdict(const OwnMeasurement&)>& judge) {
  constexpr int kTries = 3;
  Interval all = own.seconds;
  Verdict verdict;
  for (int i = 0; i < kTries; ++i) {
    if (i > 0) own = measure_again();
    verdict = judge(own);
    const double ratio = record.seconds / own.seconds.median;
    const bool is_near = 1 / kFar <= ratio && ratio <= kFar;
    if (verdict.status != Status::kFailed || !own.wrong.empty() || !is_near) return verdict;
    all.low = std::min(all.low, own.seconds.low);
    all.high = std::max(all.high, own.seconds.high);
  }
  if (all.relative_width() <= exercise.rtol) return verdict;
  return inconclusive(std::move(verdict), "the machine's speed changes: run again",
                      "Several measurements, each steady in itself, differ.");
}

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
    const bool missing =
        !fs::exists(session.student_folder(exercise.topic) / measurement_of(exercise).record);
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
  const auto measure_again = [&] {
    return measure(session, exercise, record.n, [&] { return session.start_student(exercise); });
  };
  const OwnMeasurement first = measure_again();
  if (first.wrong.empty()) {
    const std::string other = other_work(record, first.flops, first.bytes_moved);
    if (!other.empty()) return refuse(other);
  }
  return judge_until_agreed(exercise, record, first, measure_again, [&](const OwnMeasurement& own) {
    if (!own.wrong.empty()) {
      Verdict verdict = verdict_for(exercise, Status::kFailed,
                                    "the program's results are wrong, so its speed means nothing");
      verdict.detail = own.wrong;
      return verdict;
    }
    if (own.load > 0) return too_busy(exercise, own);
    return judge_record(exercise, record, own,
                        look_at_roofs(session, kTimedPrecision, own.flops, own.bytes_moved),
                        how_to_record(session, exercise));
  });
}

constinit const KindRules kMeasurementRules{.name = "measurement",
                                            .read = read_measurement,
                                            .judge = grade_measurement,
                                            .has_kernels = true,
                                            .runs_on_device = true,
                                            .uses_reference = true,
                                            .is_timed = true,
                                            .needs_idle = true};

}  // namespace grader
