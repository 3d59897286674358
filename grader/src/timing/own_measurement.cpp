// SPDX-License-Identifier: MIT
// Times a program in several legs, and reports if the figures cannot decide.
#include "grader/timing/own_measurement.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "roofline/units.hpp"

namespace grader {
namespace {

constexpr int kProblems = 2;
constexpr int kBatchesOfLeg = 7;
constexpr std::size_t kLegs = 3;
/// At most this many disturbed legs are run again.
constexpr std::size_t kMostDisturbed = 2;
/// The exercise's own tolerance is for rates; outputs only have to show that the work was done.
constexpr harness::Tolerance kOutputTolerance{1e-3, 0};

}  // namespace

std::unique_ptr<Program> start_trusted(Session& session, const Exercise& exercise) {
  return session.handout() ? session.start_student(exercise) : session.start_reference(exercise);
}

OwnMeasurement measure(Session& session, const Exercise& exercise, std::int64_t n,
                       const std::function<std::unique_ptr<Program>()>& start) {
  const std::uint64_t seed = session.seed_for(exercise);
  const std::vector<Problem> problems =
      make_problems(session.oracle(exercise.topic), exercise.entry, n, seed, kProblems);
  OwnMeasurement own{{}, problems[0].flops, problems[0].bytes_moved, {}, 0};
  const std::unique_ptr<Program> program = start_trusted(session, exercise);
  const int copies = copies_for(program->hello(), problems);
  double overhead = 0;
  if (copies > 1) {
    TimedProgram trusted(*program, exercise.entry, problems, copies, seed, kOutputTolerance);
    overhead = trusted.overhead();
  }
  std::vector<double> medians;
  std::vector<double> disturbed;
  double least = std::numeric_limits<double>::infinity();  // excluding what other work took
  double least_load = 1;
  while (medians.size() < kLegs) {
    if (disturbed.size() > kMostDisturbed) {
      own.load = least_load;
      medians.insert(medians.end(), disturbed.begin(), disturbed.end());
      break;
    }
    const std::unique_ptr<Program> measured = start();
    TimedProgram timed(*measured, exercise.entry, problems, copies,
                       seed + 1 + medians.size() + disturbed.size(), kOutputTolerance);
    timed.set_overhead(overhead);
    timed.batch();
    own.wrong = timed.wrong(true);
    if (!own.wrong.empty()) return own;
    std::vector<double> samples;
    const ProcessorTimes before = measured->processor_times();
    for (int i = 0; i < kBatchesOfLeg; ++i) samples.push_back(timed.batch());
    const double load = load_between(before, measured->processor_times());
    const double median = median_interval(std::move(samples)).median;
    const bool is_quiet = load <= exercise.rtol / 2;
    if (!is_quiet) least_load = std::min(least_load, load);
    (is_quiet ? medians : disturbed).push_back(median);
    least = std::min(least, is_quiet ? median : median * (1 - load));
  }
  own.seconds = {least, median_interval(medians).median,
                 *std::max_element(medians.begin(), medians.end())};
  return own;
}

double quantity_of(const std::string& quantity, double seconds, double flops, double bytes_moved) {
  if (quantity == "time") return seconds;
  return (quantity == "flops" ? flops : bytes_moved) / seconds;
}

std::string two_figures(const Exercise& exercise, const char* first, double one, const char* second,
                        double other) {
  const double unit = roofline::parse_quantity("1 " + exercise.unit()).value;
  char text[200];
  std::snprintf(text, sizeof text, "%s %.4g %s, %s %.4g %s", first, one / unit,
                exercise.unit().c_str(), second, other / unit, exercise.unit().c_str());
  return text;
}

Verdict inconclusive(Verdict verdict, const std::string& why, std::string detail) {
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
      "other work delayed the program for %.0f %% of its time: run again on an idle machine",
      100 * own.load);
  return inconclusive(verdict_for(exercise), text);
}

}  // namespace grader
