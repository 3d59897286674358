// SPDX-License-Identifier: MIT
// The truth of the matrix products, in double precision.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/truth.hpp"
#include "inputs.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

/// C is n x 2n and every sum has 3n terms: three different sides, so that none is taken for
/// another.
Task matmul_task(std::int64_t n, Random& random) {
  const auto rows = static_cast<std::size_t>(n);
  const std::size_t columns = 2 * rows;
  const std::size_t inner = 3 * rows;
  const std::vector<float> a = summands(random, rows * inner);
  const std::vector<float> b = summands(random, inner * columns);
  Expected expected{std::vector<double>(rows * columns), std::vector<double>(rows * columns)};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < inner; ++k) {
      const double left = double{a[row * inner + k]};
      for (std::size_t column = 0; column < columns; ++column) {
        const double product = left * double{b[k * columns + column]};
        expected.value[row * columns + column] += product;
        expected.scale[row * columns + column] += std::abs(product);
      }
    }
  }
  Task task;
  task.flops = 2 * static_cast<double>(rows * columns * inner);
  task.bytes_moved = 4 * static_cast<double>(a.size() + b.size() + rows * columns);
  task.scalar(static_cast<std::int64_t>(rows));
  task.scalar(static_cast<std::int64_t>(columns));
  task.scalar(static_cast<std::int64_t>(inner));
  task.input(a);
  task.input(b);
  task.output<float>(std::move(expected));
  return task;
}

HARNESS_TRUTH(matmul, matmul_task)
HARNESS_TRUTH(matmul_tiled, matmul_task)

}  // namespace
