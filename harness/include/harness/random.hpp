// SPDX-License-Identifier: MIT
// Reproducible random inputs: the same seed gives the same numbers on every machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "harness/element.hpp"

namespace harness {

/// A small fast generator (SplitMix64).
class Random {
 public:
  /// With `special_values`, floating-point vectors contain NaN, infinities, zeros of both signs,
  /// subnormal and the largest numbers: at both ends, at the edges of vectors, warps and blocks,
  /// and at some random positions.
  explicit Random(std::uint64_t seed, bool special_values = false)
      : state_(seed), special_values_(special_values) {}

  std::uint64_t bits();
  /// Uniform in [low, high).
  double uniform(double low, double high);
  /// Uniform integer in [low, high], both included.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// A factor of either sign whose omission shows: far from 0, 1 and -1.
  double factor();
  bool special_values() const { return special_values_; }

  /// `count` numbers spread over [low, high). Whatever the seed, neighbours differ by at least a
  /// fifth of the range, elements of the same index in up to four consecutive vectors by a
  /// hundredth, and in a range that is symmetric about 0 no number is closer to 0 than a two
  /// hundredth of the range. So a swapped or forgotten operand shows in the first element that it
  /// can affect.
  std::vector<double> spread(std::size_t count, double low, double high);
  /// The same, rounded to the nearest float or double, with special values if requested.
  std::vector<float> floats(std::size_t count, double low = -1, double high = 1);
  std::vector<double> doubles(std::size_t count, double low = -1, double high = 1);
  /// The same, rounded to the nearest IEEE binary16.
  std::vector<HalfBits> halves(std::size_t count, double low = -1, double high = 1);

 private:
  std::uint64_t state_;
  bool special_values_;
  std::uint64_t vectors_ = 0;  ///< drawn so far
};

/// The values with finite ones beyond +-largest clamped to it; NaN and infinities stay. Whether a
/// sum of huge terms overflows on the way depends on their order and on fused operations, which
/// students are free to choose.
template <class T>
std::vector<T> limited(std::vector<T> values, std::type_identity_t<T> largest) {
  for (T& value : values) {
    if (std::isfinite(value) && std::abs(value) > largest) value = std::copysign(largest, value);
  }
  return values;
}

}  // namespace harness
