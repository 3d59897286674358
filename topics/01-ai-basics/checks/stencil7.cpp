// SPDX-License-Identifier: MIT
// Quick checks of the 7-point stencil in the student's own ctest: no points, seconds to run.
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
      harness::check_entry("stencil7", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("stencil7 of nothing", "[stencil7]") {
  require_right(0);
}

TEST_CASE("stencil7 is right for small sizes and around a block", "[stencil7]") {
  for (const std::int64_t n : {1, 2, 3, 4, 15, 16, 17}) require_right(n);
}

TEST_CASE("stencil7 is right for a size that is no multiple of anything", "[stencil7]") {
  require_right(61);
}

TEST_CASE("stencil7 carries NaN and infinities", "[stencil7]") {
  require_right(23, true);
}
