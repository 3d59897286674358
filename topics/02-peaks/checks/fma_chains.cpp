// SPDX-License-Identifier: MIT
// Quick checks of the loop of multiply-adds: no points, seconds to run.
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
      harness::check_entry("fma_chains", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}

}  // namespace

TEST_CASE("the loop of multiply-adds is right for small sizes", "[fma_chains]") {
  for (const std::int64_t n : {0, 1, 2, 31, 33, 255, 256, 257, 1025, 4099}) require_right(n);
}

TEST_CASE("the loop of multiply-adds carries NaN and infinities", "[fma_chains]") {
  require_right(1009, true);
}
