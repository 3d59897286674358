// SPDX-License-Identifier: MIT
// Random inputs are reproducible and stay within their range.
#include "harness/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"

using harness::Random;

TEST_CASE("the same seed gives the same numbers", "[random]") {
  CHECK(Random(5).floats(100) == Random(5).floats(100));
  CHECK(Random(5).floats(100) != Random(6).floats(100));
}

TEST_CASE("every machine draws the published numbers of SplitMix64", "[random]") {
  Random random(1234567);
  for (const std::uint64_t bits : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                   4593380528125082431U, 16408922859458223821U}) {
    CHECK(random.bits() == bits);
  }
}

TEST_CASE("neighbours and operands of one element differ with every seed", "[random]") {
  double neighbours = 2;
  double operands = 2;
  double from_zero = 2;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::vector<std::vector<float>> vectors;
    for (int v = 0; v < 4; ++v) vectors.push_back(random.floats(300));
    for (std::size_t i = 0; i < 300; ++i) {
      for (const auto& a : vectors) {
        from_zero = std::min(from_zero, std::fabs(double{a[i]}));
        if (i > 0) neighbours = std::min(neighbours, std::fabs(double{a[i]} - double{a[i - 1]}));
        for (const auto& b : vectors) {
          if (&a != &b) operands = std::min(operands, std::fabs(double{a[i]} - double{b[i]}));
        }
      }
    }
  }
  CHECK(neighbours > 2 * 0.2);
  CHECK(operands > 2 * 0.01);
  CHECK(from_zero > 2 * 0.005);
}

TEST_CASE("a factor is far from 0 and from 1, of either sign", "[random]") {
  Random random(3);
  int negative = 0;
  for (int i = 0; i < 1000; ++i) {
    const double factor = random.factor();
    negative += factor < 0 ? 1 : 0;
    CHECK((std::fabs(factor) >= 1.25 && std::fabs(factor) < 2));
  }
  CHECK((negative > 400 && negative < 600));
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
  CHECK(high - low > 0.9);
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

TEST_CASE("special values stand at both ends and at a block's edges with every seed", "[random]") {
  const auto is_special = [](double x) {
    return !std::isfinite(x) || x == 0 || std::fabs(x) < 1e-30 || std::fabs(x) > 1e30;
  };
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed, true);
    const std::vector<double> first = random.doubles(1000);
    const std::vector<double> second = random.doubles(1000);
    for (const std::size_t edge : {0, 31, 32, 255, 256, 999}) {
      CHECK((is_special(first[edge]) && is_special(second[edge])));
    }
    CHECK(std::isnan(first[0]));
  }
}
