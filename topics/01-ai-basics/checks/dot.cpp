// SPDX-License-Identifier: MIT
// Quick checks of the dot product in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 1e-5;
constexpr std::uint64_t kSeed = 1;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("dot", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("dot of nothing", "[dot]") {
  require_right(0);
}

TEST_CASE("dot is right for small sizes and around a block", "[dot]") {
  for (const std::int64_t n : {1, 2, 31, 32, 33, 255, 256, 257, 4099}) require_right(n);
}

TEST_CASE("dot is right for a size that is no multiple of anything", "[dot]") {
  require_right(1048583);
}

TEST_CASE("dot carries NaN and infinities", "[dot]") {
  require_right(1009, true);
}
