// SPDX-License-Identifier: MIT
// Quick checks of the matrix product: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {

constexpr double kRelativeTolerance = 1e-5;
constexpr std::uint64_t kSeed = 2;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("gemm", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}

}  // namespace

TEST_CASE("the matrix product is right for small sizes", "[gemm]") {
  for (const std::int64_t n : {0, 1, 2, 3, 17, 65}) require_right(n);
}

TEST_CASE("the matrix product carries NaN and infinities", "[gemm]") {
  require_right(65, true);
}
