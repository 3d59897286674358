// SPDX-License-Identifier: MIT
// Quick checks of the online softmax in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kSoftmaxOnline{
    .entry = "softmax_online", .seed = 4, .relative_tolerance = 1e-4};

}  // namespace

TEST_CASE("softmax_online is right for the smallest sizes", "[softmax_online]") {
  support::require_right(kSoftmaxOnline, {0, 1, 2, 31, 32, 33});
}

TEST_CASE("softmax_online is right for rows around a block", "[softmax_online]") {
  support::require_right(kSoftmaxOnline, {255, 256, 257, 4099});
}

TEST_CASE("softmax_online carries NaN and infinities", "[softmax_online]") {
  support::require_right(kSoftmaxOnline, {101}, true);
}
