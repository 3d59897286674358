// SPDX-License-Identifier: MIT
// Quick checks of the fast 5-point stencil in the student's own ctest: no points, seconds to run.
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
      harness::check_entry("stencil5_fast", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("stencil5_fast of nothing", "[stencil5_fast]") {
  require_right(0);
}

TEST_CASE("stencil5_fast is right for small sizes and around a block", "[stencil5_fast]") {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 31, 32, 33, 64}) require_right(n);
}

TEST_CASE("stencil5_fast is right for a size that is no multiple of anything", "[stencil5_fast]") {
  require_right(509);
}

TEST_CASE("stencil5_fast carries NaN and infinities", "[stencil5_fast]") {
  require_right(97, true);
}
