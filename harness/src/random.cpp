// SPDX-License-Identifier: MIT
// SplitMix64 and vectors of random numbers.
#include "harness/random.hpp"

#include <cstddef>
#include <limits>

#include "base/splitmix64.hpp"

namespace harness {
namespace {

constexpr double kUnit = 0x1p-53;

/// Positions that kernels treat specially: the edges of vectors, warps and blocks.
constexpr std::size_t kEdges[] = {0, 1, 3, 4, 31, 32, 63, 64, 255, 256};

template <class T>
void plant_special_values(Random& random, std::vector<T>& values, std::uint64_t vector) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {Limits::quiet_NaN(),  Limits::infinity(), -Limits::infinity(), T{0}, -T{0},
                       Limits::denorm_min(), Limits::max(),      Limits::lowest()};
  if (values.empty()) return;
  const std::size_t last = values.size() - 1;
  for (int round = 0; round < 3; ++round) {
    for (const T value : special) {
      values[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(last)))] = value;
    }
  }
  for (const std::size_t edge : kEdges) {
    if (edge <= last) values[edge] = special[vector++ % std::size(special)];
  }
  values[last] = special[vector % std::size(special)];
}

template <class T>
std::vector<T> rounded_vector(Random& random, std::size_t count, double low, double high,
                              std::uint64_t vector) {
  const std::vector<double> exact = random.spread(count, low, high);
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(exact[i]);
  if (random.special_values()) plant_special_values(random, values, vector);
  return values;
}

}  // namespace

std::uint64_t Random::bits() {
  return base::splitmix64(state_);
}

double Random::uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(bits() >> 11) * kUnit);
}

double Random::factor() {
  const double size = uniform(1.25, 2);
  return bits() >> 63 == 0 ? size : -size;
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = span == 0 ? bits() : bits() % span;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

std::vector<double> Random::spread(std::size_t count, double low, double high) {
  // The range is divided into cells of four quarters. Neighbours are in cells that are at least
  // three apart, also across the end. Consecutive vectors each use one quarter of every cell, and
  // only its middle.
  constexpr std::uint64_t kCells = 12;
  constexpr std::uint64_t kQuarters = 4;
  constexpr std::uint64_t kLeastStep = 3;
  constexpr std::uint64_t kSteps = kCells - 2 * kLeastStep + 1;
  const double start = static_cast<double>(vectors_++ % kQuarters) + 0.25;
  const double quarter = (high - low) / (kCells * kQuarters);
  std::uint64_t cell = bits() % kCells;
  std::vector<double> values(count);
  for (double& value : values) {
    const std::uint64_t draw = bits();
    cell = (cell + kLeastStep + (draw & 0x7ff) * kSteps / 0x800) % kCells;
    const double inside = start + 0.5 * (static_cast<double>(draw >> 11) * kUnit);
    value = low + quarter * (static_cast<double>(kQuarters * cell) + inside);
  }
  return values;
}

std::vector<float> Random::floats(std::size_t count, double low, double high) {
  return rounded_vector<float>(*this, count, low, high, vectors_);
}

std::vector<double> Random::doubles(std::size_t count, double low, double high) {
  return rounded_vector<double>(*this, count, low, high, vectors_);
}

std::vector<HalfBits> Random::halves(std::size_t count, double low, double high) {
  std::vector<HalfBits> values(count);
  const std::vector<float> exact = floats(count, low, high);
  for (std::size_t i = 0; i < count; ++i) {
    write_element(Element::kF16, double{exact[i]}, reinterpret_cast<std::byte*>(&values[i]));
  }
  return values;
}

}  // namespace harness
