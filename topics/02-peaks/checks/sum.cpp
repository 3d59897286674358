// SPDX-License-Identifier: MIT
// Quick checks of the sum: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {

constexpr double kRelativeTolerance = 1e-12;
constexpr std::uint64_t kSeed = 2;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("sum", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}

}  // namespace

TEST_CASE("the sum is right for small sizes", "[sum]") {
  for (const std::int64_t n : {0, 1, 2, 255, 256, 257, 1023, 1025, 4099, 65537}) require_right(n);
}

TEST_CASE("the sum carries NaN and infinities", "[sum]") {
  require_right(1009, true);
}
