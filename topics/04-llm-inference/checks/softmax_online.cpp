// SPDX-License-Identifier: MIT
// Quick checks of the online softmax in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 1e-4;
constexpr std::uint64_t kSeed = 4;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("softmax_online", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("softmax_online is right for the smallest sizes", "[softmax_online]") {
  for (const std::int64_t n : {0, 1, 2, 31, 32, 33}) require_right(n);
}

TEST_CASE("softmax_online is right for rows around a block", "[softmax_online]") {
  for (const std::int64_t n : {255, 256, 257, 4099}) require_right(n);
}

TEST_CASE("softmax_online carries NaN and infinities", "[softmax_online]") {
  require_right(101, true);
}
