// SPDX-License-Identifier: MIT
// Quick checks of the naive matrix product in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kMatmul{.entry = "matmul", .seed = 1, .relative_tolerance = 2e-6};

}  // namespace

TEST_CASE("matmul of nothing", "[matmul]") {
  support::require_right(kMatmul, {0});
}

TEST_CASE("matmul is right for small sizes and around a block", "[matmul]") {
  support::require_right(kMatmul, {1, 2, 3, 15, 16, 17, 33});
}

TEST_CASE("matmul is right for a size that is no multiple of anything", "[matmul]") {
  support::require_right(kMatmul, {61});
}

TEST_CASE("matmul carries NaN and infinities", "[matmul]") {
  support::require_right(kMatmul, {37}, true);
}
