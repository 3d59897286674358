// SPDX-License-Identifier: MIT
// Quick checks of the tiled matrix product in the student's own ctest: no points, seconds to run.
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
      harness::check_entry("matmul_tiled", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("matmul_tiled of nothing", "[matmul_tiled]") {
  require_right(0);
}

TEST_CASE("matmul_tiled is right for small sizes and around a block", "[matmul_tiled]") {
  for (const std::int64_t n : {1, 2, 3, 15, 16, 17, 33}) require_right(n);
}

TEST_CASE("matmul_tiled is right for a size that is no multiple of anything", "[matmul_tiled]") {
  require_right(61);
}

TEST_CASE("matmul_tiled carries NaN and infinities", "[matmul_tiled]") {
  require_right(37, true);
}
