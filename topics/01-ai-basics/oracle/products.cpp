// SPDX-License-Identifier: MIT
// The oracle of the matrix products, in double precision.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

/// C is n x 2n and every sum has 3n terms: three different sizes, so that mixing up two of them is
/// noticed.
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
  task.axes({{"row", rows}, {"column", inner}});
  task.input(b);
  task.axes({{"row", inner}, {"column", columns}});
  task.output<float>(std::move(expected));
  task.axes({{"row", rows}, {"column", columns}});
  return task;
}

struct Extents {
  double rows, columns, inner;
};
Extents extents_of(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return {side, 2 * side, 3 * side};
}

/// 32-byte sectors that a row of floats touches, wherever it starts.
double sectors_of_row(double columns) {
  return std::ceil(columns / 8) + 1;
}

void needs_product(Task& task, const Extents& is) {
  task.needs("stores", is.rows * is.columns);
  task.needs("compulsory_bytes", task.bytes_moved);
  task.needs("sectors_stored", is.rows * sectors_of_row(is.columns), 2);
}

/// One number of A and one of B for every term, and one extra addition for each number of C, to
/// join two partial sums. Lanes along a row of C share the number of A and the sectors of B; the
/// slack is for warps that hold parts of rows.
Task plain_matmul_task(std::int64_t n, Random& random) {
  Task task = matmul_task(n, random);
  const Extents is = extents_of(n);
  needs_product(task, is);
  task.needs("flops", task.flops, 1 + is.rows * is.columns / task.flops);
  task.needs("loads", task.flops);
  task.needs("sectors_loaded",
             is.rows * is.inner * (std::ceil(is.columns / 32) + sectors_of_row(is.columns)), 2);
  return task;
}

/// With tiles of side 16, A is read once for each column of tiles of C, B once for each row.
Task tiled_matmul_task(std::int64_t n, Random& random) {
  constexpr double kTile = 16;
  Task task = matmul_task(n, random);
  const Extents is = extents_of(n);
  const double tiles_across = std::ceil(is.columns / kTile);
  const double tiles_down = std::ceil(is.rows / kTile);
  needs_product(task, is);
  task.needs("flops", task.flops);
  task.needs("bytes_loaded", 4 * is.inner * (is.rows * tiles_across + is.columns * tiles_down));
  task.needs("sectors_loaded",
             is.rows * sectors_of_row(is.inner) * tiles_across +
                 is.inner * sectors_of_row(is.columns) * tiles_down,
             2);
  return task;
}

HARNESS_ORACLE(matmul, plain_matmul_task)
HARNESS_ORACLE(matmul_tiled, tiled_matmul_task)

}  // namespace
