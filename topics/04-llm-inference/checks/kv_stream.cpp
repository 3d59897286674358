// SPDX-License-Identifier: MIT
// Quick checks of reading a paged cache in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 1e-5;
constexpr std::uint64_t kSeed = 4;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("kv_stream", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("kv_stream is right for the smallest sizes", "[kv_stream]") {
  for (const std::int64_t n : {0, 1, 2, 3}) require_right(n);
}

TEST_CASE("kv_stream is right for pages of 1, of 16 and of all tokens", "[kv_stream]") {
  for (const std::int64_t n : {15, 16, 17, 256, 257, 258}) require_right(n);
}

TEST_CASE("kv_stream carries NaN and infinities", "[kv_stream]") {
  require_right(101, true);
}
