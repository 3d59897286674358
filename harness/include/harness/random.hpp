// SPDX-License-Identifier: MIT
// Reproducible random inputs: the same seed gives the same numbers on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/element.hpp"

namespace harness {

/// A small fast generator (SplitMix64).
class Random {
 public:
  /// With `special_values`, vectors of floating-point numbers get a few NaN, infinities, zeros of
  /// both signs and subnormal numbers at random places.
  explicit Random(std::uint64_t seed, bool special_values = false)
      : state_(seed), special_values_(special_values) {}

  std::uint64_t bits();
  /// Uniform in [low, high).
  double uniform(double low, double high);
  /// Uniform integer in [low, high], both included.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  bool special_values() const { return special_values_; }

  /// `count` numbers uniform in [low, high), rounded to the nearest float or double.
  std::vector<float> floats(std::size_t count, double low = -1, double high = 1);
  std::vector<double> doubles(std::size_t count, double low = -1, double high = 1);
  /// The same, rounded to the nearest IEEE binary16.
  std::vector<HalfBits> halves(std::size_t count, double low = -1, double high = 1);

 private:
  std::uint64_t state_;
  bool special_values_;
};

/// The values with finite ones beyond +-largest set to it; NaN and infinities stay. Whether a sum
/// of huge terms overflows on the way depends on their order, which is the student's to choose.
std::vector<float> limited(std::vector<float> values, float largest);

}  // namespace harness
