// SPDX-License-Identifier: MIT
// Reads with a known number of bytes in flight: what they read, and how much is in flight.
#include "memory/in_flight.hpp"

#include "support/catch.hpp"

using namespace roofline::measure;

TEST_CASE("every load reads the whole array, from 512 bytes in flight to 128 KiB") {
  constexpr double kElements = 3 * 2 * 2048 * 4 * 4;  // the minimum for two units
  InFlight reads(4 * kElements, 2);
  const std::vector<InFlightLoad> loads = reads.loads();
  REQUIRE(loads.size() > 8);
  CHECK(loads.front().bytes_per_unit == 512);
  CHECK(loads.back().bytes_per_unit == 131072);
  double before = 0;
  for (const InFlightLoad& load : loads) {
    CAPTURE(load.description);
    CHECK(load.amount == 4 * kElements);
    CHECK(load.bytes_per_unit > before);
    CHECK(reads.sum_is_right(load));
    before = load.bytes_per_unit;
  }
}
