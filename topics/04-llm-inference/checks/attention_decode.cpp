// SPDX-License-Identifier: MIT
// Quick checks of decode attention in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 3e-5;
constexpr std::uint64_t kSeed = 4;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("attention_decode", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("attention_decode is right for the smallest sizes", "[attention_decode]") {
  for (const std::int64_t n : {0, 1, 2, 3}) require_right(n);
}

TEST_CASE("attention_decode is right for every shape", "[attention_decode]") {
  for (const std::int64_t n : {4, 5, 6, 7, 8, 9, 10, 11, 12, 250}) require_right(n);
}

TEST_CASE("attention_decode carries NaN and infinities", "[attention_decode]") {
  require_right(101, true);
}
