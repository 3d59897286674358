// SPDX-License-Identifier: MIT
// Quick checks of the tiled matrix product in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {

constexpr double kRelativeTolerance = 1e-6;
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

TEST_CASE("the tiled matrix product of nothing", "[gemm_tiled]") {
  require_right("gemm_tiled", {0});
}

TEST_CASE("the tiled matrix product is right for small sizes and around a tile", "[gemm_tiled]") {
  require_right("gemm_tiled", {1, 2, 3, 7, 31, 32, 33, 64});
}

TEST_CASE("the tiled matrix product is right for a size that is no multiple of anything",
          "[gemm_tiled]") {
  require_right("gemm_tiled", {61});
}

TEST_CASE("the tiled matrix product carries NaN and infinities", "[gemm_tiled]") {
  require_right("gemm_tiled", {37}, true);
}
