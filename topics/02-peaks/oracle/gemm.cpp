// SPDX-License-Identifier: MIT
// The oracle of the matrix product, on shapes that are not square.
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/oracle.hpp"

namespace {

struct Shape {
  std::size_t rows, columns, depth;
};

/// Small products have three different sides, so that a mix-up shows; large ones, which are timed,
/// are square.
Shape shape_of(std::int64_t n) {
  constexpr std::int64_t kSquare = 512;
  const auto side = static_cast<std::size_t>(n);
  if (n >= kSquare) return {side, side, side};
  return {side, n == 0 ? 3 : side + 5, side / 2 + 1};
}

/// Random elements, the largest of which are small enough that products and their sums stay finite
/// in FP32: whether they overflow would depend on the library's order of additions.
std::vector<float> moderate_floats(harness::Random& random, std::size_t count) {
  return harness::limited(random.floats(count), 1e15F);
}

harness::Expected product(const Shape& shape, const std::vector<float>& a,
                          const std::vector<float>& b) {
  const std::size_t count = shape.rows * shape.columns;
  harness::Expected expected{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t row = 0; row < shape.rows; ++row) {
    double* value = expected.value.data() + row * shape.columns;
    double* scale = expected.scale.data() + row * shape.columns;
    for (std::size_t k = 0; k < shape.depth; ++k) {
      const double left = a[row * shape.depth + k];
      const float* right = b.data() + k * shape.columns;
      for (std::size_t column = 0; column < shape.columns; ++column) {
        const double term = left * right[column];
        value[column] += term;
        scale[column] += std::abs(term);
      }
    }
  }
  return expected;
}

harness::Task gemm_task(std::int64_t n, harness::Random& random) {
  const Shape shape = shape_of(n);
  const std::vector<float> a = moderate_floats(random, shape.rows * shape.depth);
  const std::vector<float> b = moderate_floats(random, shape.depth * shape.columns);
  harness::Expected expected = product(shape, a, b);
  harness::Task task;
  const double outputs = static_cast<double>(shape.rows) * static_cast<double>(shape.columns);
  task.flops = 2 * outputs * static_cast<double>(shape.depth);
  task.bytes_moved = 4 * (static_cast<double>(a.size() + b.size()) + outputs);
  task.at_least("library_calls", 0);  // the library's work is not counted
  task.scalar(static_cast<std::int64_t>(shape.rows));
  task.scalar(static_cast<std::int64_t>(shape.columns));
  task.scalar(static_cast<std::int64_t>(shape.depth));
  task.input(a);
  task.input(b);
  task.output<float>(std::move(expected));
  task.axes({{"row", shape.rows}, {"column", shape.columns}});
  return task;
}

HARNESS_ORACLE(gemm, gemm_task);

}  // namespace
