// SPDX-License-Identifier: MIT
// Claims about the shape of measurements: which series satisfy them, and which must not.
#include "program/shape.hpp"

#include <vector>

#include "support/catch.hpp"

using harness::why_no_plateau;
using harness::why_not_steady;
using harness::why_not_the_same;
using Series = std::vector<double>;

TEST_CASE("times within five percent are steady", "[shape]") {
  CHECK(why_not_steady(Series{1.00, 1.04, 1.02}).empty());
  CHECK_FALSE(why_not_steady(Series{1.00, 1.08, 1.02}).empty());
  CHECK_FALSE(why_not_steady(Series{1.67, 1.0, 1.0}).empty());
  CHECK_FALSE(why_not_steady(Series{1.0}).empty());
}

TEST_CASE("a plateau rises and then stays flat", "[shape]") {
  CHECK(why_no_plateau(Series{1, 2, 4, 6, 6.1, 6.05}).empty());
  CHECK(why_no_plateau(Series{1, 2, 4, 6, 5.7, 6.0}).empty());
}

TEST_CASE("what is not a plateau is named", "[shape]") {
  CHECK(why_no_plateau(Series{1, 2, 4, 8}).find("still rises") != std::string::npos);
  CHECK(why_no_plateau(Series{6, 6, 6, 6}).find("no rise") != std::string::npos);
  CHECK(why_no_plateau(Series{1, 4, 2, 4, 4}).find("measurement 3") != std::string::npos);
  CHECK(why_no_plateau(Series{1, 4, 4, 4, 3}).find("measurement 5") != std::string::npos);
  CHECK(why_no_plateau(Series{1, 4, 4}).find("four") != std::string::npos);
}

TEST_CASE("rates of doubled sizes agree within ten percent", "[shape]") {
  CHECK(why_not_the_same(Series{100, 95}).empty());
  CHECK_FALSE(why_not_the_same(Series{100, 80}).empty());
}
