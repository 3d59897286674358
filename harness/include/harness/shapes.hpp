// SPDX-License-Identifier: MIT
// Shapes that several labs share, as functions of the size n from the command line: for the work,
// buffer sizes and scalars of LabOptions.
#pragma once

#include <cstdint>

#include "harness/entry.hpp"

namespace harness {

/// C = A B for square FP32 matrices of side n, each moved once.
inline Work square_product_work(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return {2 * side * side * side, 3 * sizeof(float) * side * side};
}
inline std::int64_t square_elements(std::int64_t n, int /*buffer*/) {
  return n * n;
}

/// C = A B in FP32 with no two sides equal, so that swapped ones show: C is n x 2n, and sums have
/// 3n terms.
inline Work oblong_product_work(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return {12 * side * side * side, (3 + 6 + 2) * sizeof(float) * side * side};
}
inline std::int64_t oblong_product_elements(std::int64_t n, int buffer) {
  return (buffer == 0 ? 3 : buffer == 1 ? 6 : 2) * n * n;
}
inline std::int64_t oblong_product_side(std::int64_t n, int scalar) {
  return (scalar + 1) * n;
}

/// A five-point stencil in FP32 on a grid of n rows and 3n/2 columns, each point read and written
/// once.
inline std::int64_t grid_side(std::int64_t n, int scalar) {
  return scalar == 0 ? n : n + n / 2;
}
inline std::int64_t grid_elements(std::int64_t n, int /*buffer*/) {
  return grid_side(n, 0) * grid_side(n, 1);
}
inline Work five_point_work(std::int64_t n) {
  const auto rows = static_cast<double>(grid_side(n, 0));
  const auto columns = static_cast<double>(grid_side(n, 1));
  return {4 * (rows - 2) * (columns - 2), 2 * sizeof(float) * rows * columns};
}

}  // namespace harness
