// SPDX-License-Identifier: MIT
// Bytes in flight, compared with values computed by hand.
#include "roofline/concurrency.hpp"

#include <limits>

#include "support/catch.hpp"

using namespace roofline;

namespace {

MeasuredRoof roof(const std::string& name, RoofKind kind, const std::string& level, double rate) {
  MeasuredRoof result;
  result.name = name;
  result.kind = kind;
  result.level = level;
  result.rate = {rate, rate, rate, 20};
  return result;
}

}  // namespace

TEST_CASE("bytes in flight are latency times bandwidth") {
  CHECK(bytes_in_flight(500e-9, 4e12) == Approx(2e6));   // 500 ns x 4 TB/s = 2 MB
  CHECK(bytes_in_flight(100e-9, 64e9) == Approx(6400));  // 100 lines of 64 bytes
  CHECK_THROWS_AS(bytes_in_flight(0, 4e12), std::invalid_argument);
  CHECK_THROWS_AS(bytes_in_flight(1e-9, std::numeric_limits<double>::quiet_NaN()),
                  std::invalid_argument);
  // 16 KiB per multiprocessor with 2048 threads is 8 bytes per thread: half a load of 16.
  CHECK(loads_in_flight(16384, 2048, 16) == Approx(0.5));
  CHECK_THROWS_AS(loads_in_flight(1, 0, 16), std::invalid_argument);
}

TEST_CASE("a report's levels that have both a latency and a bandwidth") {
  Report report;
  report.device.units = 100;
  MeasuredRoof wrong = roof("latency.1MiB", RoofKind::kLatency, "L2", 1e-9);
  wrong.refused = "the walk does not end where it should";
  report.roofs = {
      roof("read", RoofKind::kBandwidth, "DRAM", 4e12),
      roof("ladder.1MiB", RoofKind::kBandwidth, "L2", 8e12),
      roof("launch", RoofKind::kLatency, "", 3e-6),
      roof("latency.8GiB", RoofKind::kLatency, "DRAM", 600e-9),
      roof("latency.6KiB", RoofKind::kLatency, "L1", 20e-9),  // its bandwidth is missing
      wrong};
  const std::vector<LevelConcurrency> all = concurrency_of(report);
  REQUIRE(all.size() == 1);
  CHECK(all[0].level == "DRAM");
  // 600 ns x 4 TB/s = 2.4 MB, or 24 kB for each of 100 units.
  CHECK(all[0].bytes_per_unit == Approx(24000));
  report.roofs.back().refused.clear();
  CHECK(concurrency_of(report).size() == 2);
  CHECK(concurrency_of(report)[0].level == "L2");
  report.device.units = 0;
  CHECK(concurrency_of(report).empty());
}
