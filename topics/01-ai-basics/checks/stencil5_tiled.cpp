// SPDX-License-Identifier: MIT
// Quick checks of the tiled 5-point stencil in the student's own ctest: no points, seconds to run.
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
      harness::check_entry("stencil5_tiled", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("stencil5_tiled of nothing", "[stencil5_tiled]") {
  require_right(0);
}

TEST_CASE("stencil5_tiled is right for small sizes and around a block", "[stencil5_tiled]") {
  for (const std::int64_t n : {1, 2, 3, 4, 15, 16, 17, 31, 32, 33}) require_right(n);
}

TEST_CASE("stencil5_tiled is right for a size that is no multiple of anything",
          "[stencil5_tiled]") {
  require_right(211);
}

TEST_CASE("stencil5_tiled carries NaN and infinities", "[stencil5_tiled]") {
  require_right(97, true);
}
