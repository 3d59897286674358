// SPDX-License-Identifier: MIT
// How figures are compared: rank correlation by hand, goals and the exceptions from them.
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

TEST_CASE("a launch beyond its goal needs a reason, and a reason needs such a launch") {
  using comparison::Exception;
  const std::vector<comparison::Row> good = {{"copy", "load sectors", 1000, 1009}};
  const std::vector<comparison::Row> bad = {{"copy", "load sectors", 1000, 1011}};
  const std::vector<Exception> of_copy = {
      {"load sectors", "why", {"copy", comparison::kAllLaunches}}};
  CHECK(comparison::summarise(good, {}, true));
  CHECK_FALSE(comparison::summarise(bad, {}, true));
  CHECK(comparison::summarise(bad, of_copy, true));
  CHECK_FALSE(comparison::summarise(good, of_copy, true));
  CHECK(comparison::summarise(good, of_copy, false));  // other launches may need it
  const std::vector<Exception> of_another = {{"load sectors", "why", {"scan"}}};
  CHECK_FALSE(comparison::summarise(bad, of_another, false));
}

TEST_CASE("no launch writes more than it stores: the rest is not compared") {
  // 500 sectors are 16000 bytes.
  const std::vector<comparison::Row> rows = {
      {"small", "L2 sectors written", 500, 500},   {"small", "DRAM bytes written", 0, 50000},
      {"large", "L2 sectors written", 9000, 9000}, {"large", "DRAM bytes written", 0, 33000},
      {"whole", "L2 sectors written", 9000, 9000}, {"whole", "DRAM bytes written", 90000, 95000}};
  CHECK(comparison::foreign_bytes_written(rows) == 34000);
  // "small" stores less than that, and of "large" no more leaves L2.
  CHECK(comparison::summarise(rows, {}, true));
  std::vector<comparison::Row> wrong = rows;
  wrong.back().ours = 45000;
  CHECK_FALSE(comparison::summarise(wrong, {}, true));
}
