// SPDX-License-Identifier: MIT
// Random inputs of the truths: numbers of any stored type, and where special values may stand.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "harness/element.hpp"
#include "harness/random.hpp"

namespace llm_truth {

/// `count` numbers uniform in [low, high), rounded to T. No special values.
template <class T>
std::vector<T> plain_numbers(harness::Random& random, std::size_t count, double low = -1,
                             double high = 1) {
  std::vector<T> values(count);
  for (T& value : values) value = harness::to_element<T>(random.uniform(low, high));
  return values;
}

/// The same; where the task asks for special values a few are NaN, infinite or zero. The largest
/// finite numbers are left out: their sums overflow in FP32 and not in the truth.
template <class T>
std::vector<T> numbers(harness::Random& random, std::size_t count, double low = -1,
                       double high = 1) {
  std::vector<T> values = plain_numbers<T>(random, count, low, high);
  if (!random.special_values() || count == 0) return values;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double special :
       {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, 0.0, -0.0}) {
    const auto last = static_cast<std::int64_t>(count) - 1;
    values[static_cast<std::size_t>(random.integer(0, last))] = harness::to_element<T>(special);
  }
  return values;
}

/// What stored numbers stand for.
template <class T>
std::vector<double> exact(const std::vector<T>& stored) {
  std::vector<double> values(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) values[i] = harness::from_element(stored[i]);
  return values;
}

}  // namespace llm_truth
