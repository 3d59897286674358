// SPDX-License-Identifier: MIT
// SplitMix64 and vectors of random numbers.
#include "harness/random.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace harness {
namespace {

template <class T>
void sprinkle_special_values(Random& random, std::vector<T>& values) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {Limits::quiet_NaN(),  Limits::infinity(), -Limits::infinity(), T{0}, -T{0},
                       Limits::denorm_min(), Limits::max(),      Limits::lowest()};
  if (values.empty()) return;
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  for (int round = 0; round < 4; ++round) {
    for (const T value : special) values[static_cast<std::size_t>(random.integer(0, last))] = value;
  }
}

template <class T>
std::vector<T> uniform_vector(Random& random, std::size_t count, double low, double high) {
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random.uniform(low, high));
  if (random.special_values()) sprinkle_special_values(random, values);
  return values;
}

}  // namespace

std::uint64_t Random::bits() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

double Random::uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = span == 0 ? bits() : bits() % span;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

std::vector<float> Random::floats(std::size_t count, double low, double high) {
  return uniform_vector<float>(*this, count, low, high);
}

std::vector<double> Random::doubles(std::size_t count, double low, double high) {
  return uniform_vector<double>(*this, count, low, high);
}

std::vector<HalfBits> Random::halves(std::size_t count, double low, double high) {
  std::vector<HalfBits> values(count);
  const std::vector<float> exact = floats(count, low, high);
  for (std::size_t i = 0; i < count; ++i) {
    write_element(Element::kF16, double{exact[i]}, reinterpret_cast<std::byte*>(&values[i]));
  }
  return values;
}

std::vector<float> limited(std::vector<float> values, float largest) {
  for (float& value : values) {
    if (std::isfinite(value) && std::abs(value) > largest) value = std::copysign(largest, value);
  }
  return values;
}

}  // namespace harness
