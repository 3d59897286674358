// SPDX-License-Identifier: MIT
// Quick checks of the naive matrix product in the student's own ctest: no points, seconds to run.
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
      harness::check_entry("matmul", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("matmul of nothing", "[matmul]") {
  require_right(0);
}

TEST_CASE("matmul is right for small sizes and around a block", "[matmul]") {
  for (const std::int64_t n : {1, 2, 3, 15, 16, 17, 33}) require_right(n);
}

TEST_CASE("matmul is right for a size that is no multiple of anything", "[matmul]") {
  require_right(61);
}

TEST_CASE("matmul carries NaN and infinities", "[matmul]") {
  require_right(37, true);
}
