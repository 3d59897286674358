// SPDX-License-Identifier: MIT
// Quick checks of the sum in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 1e-5;
constexpr std::uint64_t kSeed = 1;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("sum", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("sum of nothing", "[sum]") {
  require_right(0);
}

TEST_CASE("sum is right for small sizes and around a block", "[sum]") {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 4099}) require_right(n);
}

TEST_CASE("sum is right for a size that is no multiple of anything", "[sum]") {
  require_right(1048583);
}

TEST_CASE("sum carries NaN and infinities", "[sum]") {
  require_right(1009, true);
}
