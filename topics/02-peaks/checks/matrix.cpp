// SPDX-License-Identifier: MIT
// Quick checks of the matrix loop: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {

constexpr double kRelativeTolerance = 1e-3;
constexpr std::uint64_t kSeed = 2;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("matrix", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}

}  // namespace

TEST_CASE("the matrix loop is right for small sizes", "[matrix]") {
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 9, 33}) require_right(n);
}

TEST_CASE("the matrix loop carries NaN and infinities", "[matrix]") {
  require_right(33, true);
}
