// SPDX-License-Identifier: MIT
// Counts what small loops really do: arithmetic on counting numbers, and distinct elements touched.
#pragma once

#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

namespace counted {

/// FLOPs since the last reset; a test runs only one loop at a time.
inline double flops = 0;

struct Number {
  double value = 0;
  friend Number operator+(Number a, Number b) { return ++flops, Number{a.value + b.value}; }
  friend Number operator-(Number a, Number b) { return ++flops, Number{a.value - b.value}; }
  friend Number operator*(Number a, Number b) { return ++flops, Number{a.value * b.value}; }
  friend Number operator/(Number a, Number b) { return ++flops, Number{a.value / b.value}; }
  Number& operator+=(Number other) { return *this = *this + other; }
};
inline Number exponential(Number x) {
  return ++flops, Number{std::exp(x.value)};
}
inline Number maximum(Number a, Number b) {
  return ++flops, Number{std::fmax(a.value, b.value)};
}

/// An array in memory that counts its distinct loads and stores. A load after a store to the same
/// element is not traffic: the value is still on chip.
class Array {
 public:
  explicit Array(std::size_t size) : values_(size, Number{1}) {}
  Number load(std::size_t i) {
    ++issued_loads;
    if (!stored_.count(i)) loaded_.insert(i);
    return values_.at(i);
  }
  void store(std::size_t i, Number value) {
    stored_.insert(i);
    values_.at(i) = value;
  }
  double loads() const { return static_cast<double>(loaded_.size()); }
  double stores() const { return static_cast<double>(stored_.size()); }
  double issued_loads = 0;

 private:
  std::vector<Number> values_;
  std::set<std::size_t> loaded_;
  std::set<std::size_t> stored_;
};

}  // namespace counted
