// SPDX-License-Identifier: MIT
// Quick checks of GEMV with 4-bit weights in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 1e-5;
constexpr std::uint64_t kSeed = 4;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("gemv_int4", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("gemv_int4 is right for the smallest sizes", "[gemv_int4]") {
  for (const std::int64_t n : {0, 1, 2, 31, 32, 33}) require_right(n);
}

TEST_CASE("gemv_int4 is right for sizes around a turn of a block", "[gemv_int4]") {
  for (const std::int64_t n : {64, 127, 128, 129, 257}) require_right(n);
}

TEST_CASE("gemv_int4 carries NaN and infinities", "[gemv_int4]") {
  require_right(101, true);
}
