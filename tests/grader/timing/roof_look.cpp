// SPDX-License-Identifier: MIT
// Stored roofs compared with a new measurement: what is noise, what is stale, and the messages.
#include "grader/timing/roof_look.hpp"

#include "grader/judge/grade.hpp"
#include "grader/kind/measurement.hpp"
#include "grader/timing/own_measurement.hpp"
#include "grader/timing/record.hpp"
#include "support/catch.hpp"

using Catch::Contains;
using grader::RoofLook;
using grader::RoofState;
using grader::state_of;

namespace {

roofline::Spread spread(double median, double noise = 0.01) {
  return {median, median * (1 - noise), median * (1 + noise), 20};
}

roofline::MeasuredRoof stream(const std::string& name, double rate) {
  roofline::MeasuredRoof roof;
  roof.name = name;
  roof.level = "DRAM";
  roof.rate = spread(rate);
  return roof;
}

roofline::MeasuredRoof peak(const std::string& name, roofline::Precision precision, double rate) {
  roofline::MeasuredRoof roof;
  roof.name = name;
  roof.kind = roofline::RoofKind::kCompute;
  roof.precision = precision;
  roof.unit = roofline::Unit::kVector;
  roof.rate = spread(rate);
  return roof;
}

roofline::Report report() {
  roofline::Report r;
  r.device.name = "A machine";
  r.device.backend = "cpu";
  r.roofs = {stream("read", 20e9), stream("triad", 18e9), stream("copy", 22e9),
             peak("fp32.vector", roofline::Precision::kFp32, 100e9)};
  return r;
}

RoofLook look(double triad_now) {
  const roofline::Report stored = report();
  return {stored, {{stored.roofs[2], spread(22e9)}, {stored.roofs[1], spread(triad_now)}}};
}

}  // namespace

TEST_CASE("roofs agree within their noise and what differs from run to run", "[roof]") {
  CHECK(state_of(spread(100), spread(105)) == RoofState::kAgrees);
  CHECK(state_of(spread(100), spread(95)) == RoofState::kAgrees);
  CHECK(state_of(spread(100), spread(125)) == RoofState::kHigherNow);
  CHECK(state_of(spread(100), spread(75)) == RoofState::kLowerNow);
  // With wide spreads a larger difference is noise, but never a factor of two.
  CHECK(state_of(spread(100, 0.1), spread(125, 0.1)) == RoofState::kAgrees);
  CHECK(state_of(spread(100, 0.9), spread(200, 0.9)) == RoofState::kHigherNow);
  CHECK(state_of(spread(100, 0.9), spread(50, 0.9)) == RoofState::kLowerNow);
}

TEST_CASE("a stale roof is named with the command that measures again", "[roof]") {
  CHECK(look(18.5e9).complaint().empty());
  CHECK(look(18.5e9).state() == RoofState::kAgrees);
  const RoofLook higher = look(30e9);
  CHECK(higher.state() == RoofState::kHigherNow);
  CHECK_THAT(higher.complaint(), Contains("triad is stored as 18 GB/s and was 30 GB/s just now") &&
                                     Contains("stale") && Contains("./lab start --measure"));
  const RoofLook lower = look(9e9);
  CHECK(lower.state() == RoofState::kLowerNow);
  CHECK_THAT(lower.complaint(), Contains("busy") && Contains("stale"));
}

TEST_CASE("a busy moment makes no roof lower", "[roof]") {
  CHECK(roofline::bandwidth(look(30e9).machine()) == 30e9);
  CHECK(roofline::bandwidth(look(9e9).machine()) == 22e9);
  CHECK(look(9e9).machine().streams.at("triad") == 18e9);
}

TEST_CASE("what limits the work is looked at", "[roof]") {
  const roofline::Machine machine = roofline::machine_from_report(report());
  using Names = std::vector<std::string>;
  CHECK(grader::limiting_roofs(machine, "fp32", 1, 1e9) == Names{"copy", "triad"});
  CHECK(grader::limiting_roofs(machine, "fp32", 1e12, 1) == Names{"fp32.vector"});
  CHECK(grader::limiting_roofs(machine, "fp64", 1e12, 1) ==
        Names{"copy", "triad"});  // not measured
}

namespace {

/// Common parts of both records judged below: `own` and `recorded` are rates of the same work.
grader::Verdict verdict_on_record(const std::string& quantity, double recorded, double own_rate,
                                  double triad_now) {
  constexpr double kWork = 1e9;
  const bool is_flops = quantity == "flops";
  grader::Exercise exercise;
  exercise.points = 1;
  exercise.rtol = 0.1;
  exercise.fields =
      grader::MeasurementExercise{is_flops ? "GFLOP/s" : "GB/s", quantity, {}, "r.json"};
  const double seconds = kWork / own_rate;
  const grader::OwnMeasurement own{
      {seconds, seconds, seconds}, is_flops ? kWork : 1, is_flops ? 8 : kWork, {}, 0};
  grader::Record record;
  record.seconds = kWork / recorded;
  return judge_record(exercise, record, own, look(triad_now), "");
}

}  // namespace

TEST_CASE("a record a little above a roof that moved is inconclusive, one far above it is refused",
          "[roof]") {
  const auto status_at = [](double recorded, double triad_now) {
    return verdict_on_record("bandwidth", recorded, 28e9, triad_now).status;
  };
  CHECK(status_at(45e9, 30e9) == grader::Status::kInconclusive);  // triad was stored as 18 GB/s
  CHECK(status_at(300e9, 30e9) == grader::Status::kFailed);
  CHECK(status_at(45e9, 18e9) == grader::Status::kFailed);
}

TEST_CASE("a record above the roof earns nothing, also where the program is as fast again",
          "[roof]") {
  const auto verdict_at = [](double rate) { return verdict_on_record("flops", rate, rate, 18e9); };
  CHECK(verdict_at(90e9).status == grader::Status::kPassed);  // the roof is 100 GFLOP/s
  const grader::Verdict above = verdict_at(900e9);
  CHECK(above.status == grader::Status::kInconclusive);
  CHECK(above.points == 0);
  CHECK_THAT(above.message, Contains("above this machine's roof"));
}

TEST_CASE("a record that one measurement contradicts is held against others", "[roof]") {
  grader::Exercise exercise;
  exercise.points = 2;
  exercise.rtol = 0.1;
  exercise.fields = grader::MeasurementExercise{"GB/s", "bandwidth", {}, "r.json"};
  grader::Record record;
  record.seconds = 1;
  // Seconds of each measurement; how many of them were made.
  const auto judged = [&](const std::vector<double>& all, std::size_t made) {
    std::size_t next = 0;
    const auto measure = [&] {
      const double seconds = all.at(next++);
      return grader::OwnMeasurement{{seconds, seconds, seconds}, 1, 1e9, {}, 0};
    };
    const grader::Verdict verdict = judge_until_agreed(
        exercise, record, measure(), measure, [&](const grader::OwnMeasurement& own) {
          return judge_record(exercise, record, own, std::nullopt, "");
        });
    CHECK(next == made);
    return verdict;
  };
  CHECK(judged({1.32, 1.05}, 2).status == grader::Status::kPassed);
  CHECK(judged({1.32, 1.32, 1.3}, 3).status == grader::Status::kFailed);
  CHECK(judged({1.32, 1.2, 1.5}, 3).status == grader::Status::kInconclusive);
  CHECK(judged({2.5}, 1).status == grader::Status::kFailed);
  CHECK(judged({0.4}, 1).status == grader::Status::kFailed);
}
