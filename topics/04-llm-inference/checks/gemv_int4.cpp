// SPDX-License-Identifier: MIT
// Quick checks of GEMV with 4-bit weights in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kGemvInt4{
    .entry = "gemv_int4", .seed = 4, .relative_tolerance = 1e-5};

}  // namespace

TEST_CASE("gemv_int4 is right for the smallest sizes", "[gemv_int4]") {
  support::require_right(kGemvInt4, {0, 1, 2, 31, 32, 33});
}

TEST_CASE("gemv_int4 is right for sizes around a turn of a block", "[gemv_int4]") {
  support::require_right(kGemvInt4, {64, 127, 128, 129, 257});
}

TEST_CASE("gemv_int4 carries NaN and infinities", "[gemv_int4]") {
  support::require_right(kGemvInt4, {101}, true);
}
