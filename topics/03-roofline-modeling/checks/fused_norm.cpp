// SPDX-License-Identifier: MIT
// Quick checks of the fused residual and RMSNorm in the student's own ctest: no points, seconds to
// run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kFusedNorm{
    .entry = "fused_norm", .seed = 3, .relative_tolerance = 1e-5};

}  // namespace

TEST_CASE("rows without columns", "[fused_norm]") {
  support::require_right(kFusedNorm, {0});
}

TEST_CASE("the fused norm is right for rows around packs and blocks", "[fused_norm]") {
  support::require_right(kFusedNorm, {1, 3, 4, 5, 7, 8, 9, 31, 33, 255, 257, 1023, 1025, 4099});
}

TEST_CASE("the fused norm is right for rows of 4096", "[fused_norm]") {
  support::require_right(kFusedNorm, {12288});
}

TEST_CASE("the fused norm carries NaN and infinities", "[fused_norm]") {
  support::require_right(kFusedNorm, {1009}, true);
}
