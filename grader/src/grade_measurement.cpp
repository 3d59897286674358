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
#include "grader/timing.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr int kProblems = 2;
constexpr int kBatchesOfLeg = 7;
constexpr int kLegs = 3;
/// The exercise's own tolerance is for rates; outputs only have to show that the work was done.
constexpr harness::Tolerance kOutputTolerance{1e-3, 0};
/// A recorded rate this far above the measured roof cannot be right.
constexpr double kRoofMargin = 1.3;

/// The grader's own measurement of a program.
struct OwnMeasurement {
  Interval seconds;  ///< median, and the lowest and highest median of a leg
  double flops = 0;
  double bytes_moved = 0;
  std::string wrong;  ///< what is wrong with the outputs; such a time means nothing
};

Verdict no_device(const Session& session, const Exercise& exercise) {
  return verdict_for(exercise, Status::kSkipped,
                     "no device for the " + session.backend() + " build on this machine");
}

/// Several legs, each with the program started afresh: where the system places its memory differs
/// from start to start, and so does its speed.
OwnMeasurement measure(Session& session, const Exercise& exercise,
                       const std::function<std::unique_ptr<Program>()>& start) {
  const std::int64_t n = session.backend() == "cpu" ? exercise.size : exercise.gpu_size;
  const std::uint64_t seed = session.seed_for(exercise);
  const std::vector<Problem> problems =
      make_problems(session.truth(exercise.topic), exercise.entry, n, seed, kProblems);
  OwnMeasurement own{{}, problems[0].flops, problems[0].bytes_moved, {}};
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  const int copies = copies_for(reference->hello(), problems);
  double overhead = 0;
  if (copies > 1) {
    TimedProgram trusted(*reference, exercise.entry, problems, copies, seed, kOutputTolerance);
    overhead = trusted.overhead();
  }
  std::vector<double> medians;
  for (int leg = 0; leg < kLegs && own.wrong.empty(); ++leg) {
    const std::unique_ptr<Program> program = start();
    TimedProgram timed(*program, exercise.entry, problems, copies,
                       seed + 1 + static_cast<std::uint64_t>(leg), kOutputTolerance);
    timed.set_overhead(overhead);
    timed.batch();
    own.wrong = timed.wrong(true);
    std::vector<double> samples;
    for (int i = 0; i < kBatchesOfLeg; ++i) samples.push_back(timed.batch());
    medians.push_back(median_interval(std::move(samples)).median);
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
class SolutionRecord {
 public:
  SolutionRecord(const Session& session, const Exercise& exercise) {
    std::string pattern = (fs::temp_directory_path() / "grader-record-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    folder_ = pattern;
    const std::int64_t n = session.backend() == "cpu" ? exercise.size : exercise.gpu_size;
    Child child({{session.student_program(exercise).string(), "--entry", exercise.entry, "--n",
                  std::to_string(n), "--json", file().string()},
                 folder_,
                 clean_environment()},
                Limits{});
    if (child.wait() != 0) throw ChildFailure(Failure::kError, child.output());
  }
  SolutionRecord(const SolutionRecord&) = delete;
  SolutionRecord& operator=(const SolutionRecord&) = delete;
  ~SolutionRecord() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path file() const { return folder_ / "record.json"; }

 private:
  fs::path folder_;
};

Record student_record(const Session& session, const Exercise& exercise) {
  if (session.workspace().solutions) return read_record(SolutionRecord(session, exercise).file());
  return read_record(session.student_folder(exercise.topic) / exercise.record);
}

std::string how_to_record(const Session& session, const Exercise& exercise) {
  const fs::path program =
      session.student_program(exercise).lexically_proximate(session.workspace().root);
  const std::string entry = exercise.entry == exercise.program ? "" : " --entry " + exercise.entry;
  return "Record it with:\n" + program.string() + entry + " --json topics/" + exercise.topic + "/" +
         exercise.record;
}

/// What speaks against the record before anything is measured; empty when nothing does.
std::string contradiction(const Session& session, const Exercise& exercise, const Record& record,
                          const Hello& hello) {
  if (record.program != exercise.entry) return "it was recorded by another program";
  if (record.backend != session.backend()) {
    return "it was recorded with the " + harmless(record.backend, 1) + " build, and this is the " +
           session.backend() + " build";
  }
  if (record.device != hello.device) return "it was recorded on another device";
  const std::int64_t n = session.backend() == "cpu" ? exercise.size : exercise.gpu_size;
  if (record.n < n) {
    return "it was recorded with n = " + std::to_string(record.n) +
           ", and needs at least n = " + std::to_string(n) +
           " (else caches answer instead of memory)";
  }
  return {};
}

bool is_above_roof(const Session& session, const Exercise& exercise, const Record& record) {
  if (!session.machine()) return false;
  const auto shortest =
      shortest_seconds(*session.machine(), exercise.precision, record.flops, record.bytes_moved);
  return shortest && record.seconds * kRoofMargin < *shortest;
}

Verdict compare(const Session& session, const Exercise& exercise, const Record& record,
                const OwnMeasurement& own) {
  const double recorded = quantity_of(exercise, record.seconds, record.flops, record.bytes_moved);
  // The work of the record's own size must agree with the truth's for the rates to be comparable.
  const double measured = quantity_of(exercise, own.seconds.median, own.flops, own.bytes_moved);
  const double intensity = own.flops / own.bytes_moved;
  Verdict verdict = verdict_for(exercise);
  verdict.metrics = {{"recorded", recorded}, {"measured", measured}};
  if (!within(record.flops / record.bytes_moved, intensity, 1e-6, 0)) {
    verdict.status = Status::kFailed;
    verdict.message = "the record counts other FLOPs or bytes than the task has";
    return verdict;
  }
  char text[200];
  const double unit = roofline::parse_quantity("1 " + exercise.unit).value;
  std::snprintf(text, sizeof text, "recorded %.4g %s, measured now %.4g %s", recorded / unit,
                exercise.unit.c_str(), measured / unit, exercise.unit.c_str());
  verdict.message = text;
  const double one_end = quantity_of(exercise, own.seconds.low, own.flops, own.bytes_moved);
  const double other_end = quantity_of(exercise, own.seconds.high, own.flops, own.bytes_moved);
  if (recorded >= std::min(one_end, other_end) * (1 - exercise.rtol) &&
      recorded <= std::max(one_end, other_end) * (1 + exercise.rtol)) {
    verdict.status = Status::kPassed;
    verdict.points = exercise.points;
  } else if (is_above_roof(session, exercise, record)) {
    verdict.status = Status::kFailed;
    verdict.message += ": it lies above this machine's roof, where no measurement can be";
    verdict.detail = how_to_record(session, exercise);
  } else if (own.seconds.relative_width() > exercise.rtol) {
    verdict.status = Status::kInconclusive;
    verdict.message += "; inconclusive, the times vary too much: run again";
  } else {
    verdict.status = Status::kFailed;
    verdict.message += ": too far apart";
    verdict.detail = "Record it again on an idle machine.";
  }
  return verdict;
}

}  // namespace

Verdict grade_measurement(Session& session, const Exercise& exercise) {
  std::unique_ptr<Program> program = session.start_student(exercise);
  const Hello hello = program->hello();
  if (hello.device.empty()) return no_device(session, exercise);
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
  const std::string wrong = contradiction(session, exercise, record, hello);
  if (!wrong.empty()) {
    Verdict verdict = verdict_for(exercise, Status::kFailed, wrong);
    verdict.detail = how_to_record(session, exercise);
    return verdict;
  }
  program.reset();
  const OwnMeasurement own =
      measure(session, exercise, [&] { return session.start_student(exercise); });
  if (!own.wrong.empty()) {
    Verdict verdict = verdict_for(exercise, Status::kFailed,
                                  "the program's results are wrong, so its speed means nothing");
    verdict.detail = own.wrong;
    return verdict;
  }
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
  // Where there is no reference, the student's own is what can be measured.
  const auto start = [&] {
    return session.handout() ? session.start_student(exercise) : session.start_reference(exercise);
  };
  if (start()->hello().device.empty()) {
    return no_device(session, exercise);
  }
  const OwnMeasurement own = measure(session, exercise, start);
  const double measured = quantity_of(exercise, own.seconds.median, own.flops, own.bytes_moved);
  const double unit = roofline::parse_quantity("1 " + exercise.unit).value;
  char text[200];
  std::snprintf(text, sizeof text, "predicted %.4g %s, measured %.4g %s", predicted / unit,
                exercise.unit.c_str(), measured / unit, exercise.unit.c_str());
  Verdict verdict = verdict_for(exercise, Status::kFailed, text);
  verdict.metrics = {{"predicted", predicted}, {"measured", measured}};
  const double share = within(predicted, measured, exercise.rtol, exercise.atol * unit)
                           ? 1
                           : prediction_share(predicted, measured, exercise.rtol);
  if (share == 1) {
    verdict.status = Status::kPassed;
    verdict.points = exercise.points;
    return verdict;
  }
  if (own.seconds.relative_width() > exercise.rtol) {
    verdict.status = Status::kInconclusive;
    verdict.message += "; inconclusive, the times vary too much: run again";
    return verdict;
  }
  verdict.message += ": " + distance_in_words(predicted, measured);
  verdict.points = share * exercise.points;
  if (share > 0) verdict.status = Status::kPartial;
  return verdict;
}

}  // namespace grader
