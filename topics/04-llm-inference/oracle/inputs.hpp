// SPDX-License-Identifier: MIT
// Random inputs of the oracles: numbers of any stored type, and positions for special values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "harness/element.hpp"
#include "harness/random.hpp"

namespace llm_oracle {

/// `count` numbers spread over [low, high) (harness::Random), rounded to T. No special values.
template <class T>
std::vector<T> plain_numbers(harness::Random& random, std::size_t count, double low = -1,
                             double high = 1) {
  std::vector<T> values(count);
  const std::vector<double> exact = random.spread(count, low, high);
  for (std::size_t i = 0; i < count; ++i) values[i] = harness::to_element<T>(exact[i]);
  return values;
}

/// The same, but if the task asks for special values the first number is infinite, the last one
/// NaN, and others are infinite or zero. The largest finite numbers are left out: their sums
/// overflow in FP32 but not in the oracle.
template <class T>
std::vector<T> numbers(harness::Random& random, std::size_t count, double low = -1,
                       double high = 1) {
  std::vector<T> values = plain_numbers<T>(random, count, low, high);
  if (!random.special_values() || count == 0) return values;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto last = static_cast<std::int64_t>(count) - 1;
  for (const double special : {-kInfinity, 0.0, -0.0}) {
    values[static_cast<std::size_t>(random.integer(0, last))] = harness::to_element<T>(special);
  }
  values.front() = harness::to_element<T>(kInfinity);
  values.back() = harness::to_element<T>(std::numeric_limits<double>::quiet_NaN());
  return values;
}

/// The numbers 0 ... count - 1 in random order, none in its own place unless there is only one: a
/// kernel that reads pages in their order reads wrong ones.
inline std::vector<std::int32_t> shuffled_pages(harness::Random& random, std::size_t count) {
  std::vector<std::int32_t> pages(count);
  for (std::size_t i = 0; i < count; ++i) pages[i] = static_cast<std::int32_t>(i);
  for (std::size_t i = count; i > 1; --i) {  // Sattolo's algorithm: one cycle through all
    const std::int64_t other = random.integer(0, static_cast<std::int64_t>(i) - 2);
    std::swap(pages[i - 1], pages[static_cast<std::size_t>(other)]);
  }
  return pages;
}

/// The values of stored numbers.
template <class T>
std::vector<double> exact(const std::vector<T>& stored) {
  std::vector<double> values(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) values[i] = harness::from_element(stored[i]);
  return values;
}

}  // namespace llm_oracle
