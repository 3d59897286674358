// SPDX-License-Identifier: MIT
// Quick checks of the packed loop: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {

constexpr double kRelativeTolerance = 0.02;
constexpr std::uint64_t kSeed = 2;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("packed_half", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}

}  // namespace

TEST_CASE("the packed loop is right for small sizes", "[packed_half]") {
  for (const std::int64_t n : {0, 1, 2, 3, 31, 33, 257, 1025}) require_right(n);
}

TEST_CASE("the packed loop carries NaN and infinities", "[packed_half]") {
  require_right(1009, true);
}
