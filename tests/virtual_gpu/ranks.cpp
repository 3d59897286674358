// SPDX-License-Identifier: MIT
// Spearman's rank correlation, by hand.
#include <cmath>

#include "comparison.hpp"
#include "support/catch.hpp"

TEST_CASE("ranks, not distances, are correlated") {
  CHECK(comparison::rank_correlation({1, 2, 3, 4}, {10, 11, 500, 501}) == Approx(1));
  CHECK(comparison::rank_correlation({1, 2, 3, 4}, {9, 8, 7, -1}) == Approx(-1));
  // One swap of neighbours among four: 1 - 6 * 2 / (4 * 15).
  CHECK(comparison::rank_correlation({1, 2, 3, 4}, {1, 3, 2, 4}) == Approx(0.8));
}

TEST_CASE("ties share their rank") {
  // Ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3: 4.5 over the root of 4.5 * 5.
  CHECK(comparison::rank_correlation({1, 2, 2, 3}, {1, 2, 3, 4}) ==
        Approx(4.5 / std::sqrt(4.5 * 5)));
  CHECK(comparison::rank_correlation({1, 1, 1}, {1, 2, 3}) == 0);
}
