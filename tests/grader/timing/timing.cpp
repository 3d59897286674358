// SPDX-License-Identifier: MIT
// Statistics of measured times: the median, its interval, and the least time that the machine
// allows.
#include "grader/timing/timing.hpp"

#include <stdexcept>
#include <vector>

#include "roofline/machine.hpp"
#include "support/catch.hpp"

using grader::median_interval;

TEST_CASE("the median and an interval around it", "[timing]") {
  const grader::Interval odd = median_interval({3, 1, 2});
  CHECK(odd.median == 2);
  CHECK(odd.low == 1);
  CHECK(odd.high == 3);
  CHECK(median_interval({4, 1, 3, 2}).median == 2.5);
  CHECK_THROWS_AS(median_interval({}), std::invalid_argument);
}

TEST_CASE("more samples make the interval narrower; outliers do not move it", "[timing]") {
  std::vector<double> few;
  std::vector<double> many;
  for (int i = 0; i < 100; ++i) {
    if (i % 10 == 0) few.push_back(100 + i);
    many.push_back(100 + i);
  }
  CHECK(median_interval(many).relative_width() < median_interval(few).relative_width());
  const grader::Interval before = median_interval(many);
  many.back() = 1e9;
  CHECK(median_interval(many).high == before.high);
  CHECK(median_interval(many).median == before.median);
}

TEST_CASE("the lower quartile ignores slower samples", "[timing]") {
  CHECK(grader::lower_quartile({7}) == 7);
  CHECK(grader::lower_quartile({4, 3, 2, 1}) == 1);
  CHECK(grader::lower_quartile({5, 1, 4, 2, 3}) == 2);
  CHECK(grader::lower_quartile({5e9, 1, 4e9, 2, 3e9}) == 2);
  CHECK_THROWS_AS(grader::lower_quartile({}), std::invalid_argument);
}

TEST_CASE("reading many results takes long without deferred work", "[timing]") {
  // On an H200, reading one call's results takes a quarter of a millisecond.
  constexpr double kLook = 0.25e-3;
  CHECK(grader::late_seconds(32 * kLook, 32 * kLook, 32) == 0);
  CHECK(grader::late_seconds(2 * kLook, 2 * kLook, 2) == 0);
  // The wait of the first read counts beyond twice the time of the second read ...
  CHECK(grader::late_seconds(2 * 32 * kLook + 0.003, 32 * kLook, 32) == Approx(0.003));
  // ... and a second read, however slow, excuses at most a millisecond per call.
  CHECK(grader::late_seconds(0.1, 0.1, 2) == Approx(0.098));
}

TEST_CASE("no kernel is faster than its roof", "[timing]") {
  const roofline::Machine machine =
      roofline::load_machine(std::string(RL_SOURCE) + "/data/machines/a100-80gb-sxm.toml");
  const double bandwidth = roofline::bandwidth(machine);
  const auto streaming = grader::shortest_seconds(machine, "fp32", 1, bandwidth);
  REQUIRE(streaming);
  CHECK(*streaming == Approx(1));
  const auto computing = grader::shortest_seconds(machine, "fp32", 1e15, 1);
  REQUIRE(computing);
  CHECK(*computing > 1);
  CHECK(grader::shortest_seconds(machine, "fp32", 1e15, 1e15) >= computing);
  // Vector units take longer than matrix units of the same precision.
  const auto vectors = grader::shortest_seconds(machine, "fp16.vector", 1e15, 1);
  REQUIRE(vectors);
  CHECK(*vectors > 2 * grader::shortest_seconds(machine, "fp16", 1e15, 1).value());
}
