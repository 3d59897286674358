// SPDX-License-Identifier: MIT
// Random inputs are reproducible and keep to their range.
#include "harness/random.hpp"

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"

using harness::Random;

TEST_CASE("the same seed gives the same numbers", "[random]") {
  CHECK(Random(5).floats(100) == Random(5).floats(100));
  CHECK(Random(5).floats(100) != Random(6).floats(100));
}

TEST_CASE("numbers keep to their range", "[random]") {
  Random random(1);
  double low = 1e9;
  double high = -1e9;
  for (const double value : random.doubles(10000, 2, 3)) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  CHECK(low >= 2);
  CHECK(high < 3);
  CHECK(high - low > 0.99);
  for (int i = 0; i < 1000; ++i) {
    const auto value = random.integer(-2, 2);
    CHECK((value >= -2 && value <= 2));
  }
}

TEST_CASE("special values are sprinkled only when asked for", "[random]") {
  const auto finite = [](float x) { return std::isfinite(x); };
  const auto plain = Random(3).floats(1000);
  const auto special = Random(3, true).floats(1000);
  CHECK(std::all_of(plain.begin(), plain.end(), finite));
  CHECK(std::any_of(special.begin(), special.end(), [](float x) { return std::isnan(x); }));
  CHECK(std::any_of(special.begin(), special.end(), [](float x) { return std::isinf(x); }));
  CHECK(std::count_if(special.begin(), special.end(), finite) > 900);
  CHECK(Random(3, true).floats(0).empty());
}
