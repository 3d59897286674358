// SPDX-License-Identifier: MIT
// Quick checks of SAXPY in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 1e-6;
constexpr std::uint64_t kSeed = 2;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("saxpy", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("saxpy of nothing does nothing", "[saxpy]") {
  require_right(0);
}

TEST_CASE("saxpy is right around the size of a block", "[saxpy]") {
  for (const std::int64_t n : {1, 2, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 4099}) {
    require_right(n);
  }
}

TEST_CASE("saxpy is right for a large array that is no multiple of anything", "[saxpy]") {
  require_right((std::int64_t{1} << 20) + 7);
}

TEST_CASE("saxpy carries NaN and infinities", "[saxpy]") {
  require_right(1009, true);
}
