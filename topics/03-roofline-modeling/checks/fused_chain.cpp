// SPDX-License-Identifier: MIT
// Quick checks of the fused chain in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

// Subnormal products round to multiples of 1.4e-45.
constexpr support::EntryCheck kFusedChain{
    .entry = "fused_chain", .seed = 3, .relative_tolerance = 1e-6, .absolute_tolerance = 1e-44};

}  // namespace

TEST_CASE("the fused chain of nothing does nothing", "[fused_chain]") {
  support::require_right(kFusedChain, {0});
}

TEST_CASE("the fused chain is right around packs and blocks", "[fused_chain]") {
  support::require_right(kFusedChain, {1, 3, 4, 5, 7, 8, 9, 31, 33, 255, 257, 1023, 1025, 4099});
}

TEST_CASE("the fused chain is right for a large array that is no multiple of anything",
          "[fused_chain]") {
  support::require_right(kFusedChain, {262151});
}

TEST_CASE("the fused chain carries NaN and infinities", "[fused_chain]") {
  support::require_right(kFusedChain, {1009}, true);
}
