// SPDX-License-Identifier: MIT
// Quick checks of the fused residual and RMSNorm in the student's own ctest: no points, seconds to
// run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {

constexpr double kRelativeTolerance = 1e-5;
constexpr std::uint64_t kSeed = 3;

void require_right(const std::string& entry, std::initializer_list<std::int64_t> sizes,
                   bool special_values = false) {
  for (const std::int64_t n : sizes) {
    const std::string wrong =
        harness::check_entry(entry, n, kSeed, kRelativeTolerance, special_values);
    INFO(entry << ", n = " << n << "\n" << wrong);
    REQUIRE(wrong.empty());
  }
}

}  // namespace

TEST_CASE("rows without columns", "[fused_norm]") {
  require_right("fused_norm", {0});
}

TEST_CASE("the fused norm is right for rows around packs and blocks", "[fused_norm]") {
  require_right("fused_norm", {1, 3, 4, 5, 7, 8, 9, 31, 33, 255, 257, 1023, 1025, 4099});
}

TEST_CASE("the fused norm is right for rows of 4096", "[fused_norm]") {
  require_right("fused_norm", {12288});
}

TEST_CASE("the fused norm carries NaN and infinities", "[fused_norm]") {
  require_right("fused_norm", {1009}, true);
}
