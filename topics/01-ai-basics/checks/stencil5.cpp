// SPDX-License-Identifier: MIT
// Quick checks of the 5-point stencil in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 2e-6;
constexpr std::uint64_t kSeed = 1;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("stencil5", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("stencil5 of nothing", "[stencil5]") {
  require_right(0);
}

TEST_CASE("stencil5 is right for small sizes and around a block", "[stencil5]") {
  for (const std::int64_t n : {1, 2, 3, 4, 31, 32, 33}) require_right(n);
}

TEST_CASE("stencil5 is right for a size that is no multiple of anything", "[stencil5]") {
  require_right(509);
}

TEST_CASE("stencil5 carries NaN and infinities", "[stencil5]") {
  require_right(97, true);
}
