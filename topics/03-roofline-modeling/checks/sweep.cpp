// SPDX-License-Identifier: MIT
// Quick checks of the sweep in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {

constexpr double kRelativeTolerance = 1e-6;
// Subnormal products round to multiples of 1.4e-45.
constexpr double kAbsoluteTolerance = 1e-44;
constexpr std::uint64_t kSeed = 3;

void require_right(const std::string& entry, std::initializer_list<std::int64_t> sizes,
                   bool special_values = false) {
  for (const std::int64_t n : sizes) {
    const std::string wrong = harness::check_entry(entry, n, kSeed, kRelativeTolerance,
                                                   special_values, kAbsoluteTolerance);
    INFO(entry << ", n = " << n << "\n" << wrong);
    REQUIRE(wrong.empty());
  }
}

}  // namespace

TEST_CASE("the sweep of nothing does nothing", "[sweep]") {
  require_right("sweep", {0});
}

TEST_CASE("the sweep is right around packs and blocks", "[sweep]") {
  require_right("sweep", {1, 3, 4, 5, 7, 8, 9, 31, 33, 255, 257, 1023, 1025, 4099});
}

TEST_CASE("the sweep carries NaN and infinities", "[sweep]") {
  require_right("sweep", {1009}, true);
}
