// SPDX-License-Identifier: MIT
// The oracle of the matrix products, in double precision.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

/// The distance between numbers of a row and between those of a column: {1, columns}, or {rows, 1}
/// if they are taken as if they lay column after column.
struct Steps {
  std::size_t across, down;
};

Expected product(const std::vector<float>& a, const Steps& of_a, const std::vector<float>& b,
                 const Steps& of_b, std::size_t rows, std::size_t columns, std::size_t inner) {
  Expected c{std::vector<double>(rows * columns), std::vector<double>(rows * columns)};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < inner; ++k) {
      const double left = double{a[row * of_a.down + k * of_a.across]};
      for (std::size_t column = 0; column < columns; ++column) {
        const double product = left * double{b[k * of_b.down + column * of_b.across]};
        c.value[row * columns + column] += product;
        c.scale[row * columns + column] += std::abs(product);
      }
    }
  }
  return c;
}

/// C is n x 2n and every sum has 3n terms: three different sizes, so that mixing up two of them is
/// noticed.
Task matmul_task(std::int64_t n, Random& random) {
  const auto rows = static_cast<std::size_t>(n);
  const std::size_t columns = 2 * rows;
  const std::size_t inner = 3 * rows;
  const std::vector<float> a = summands(random, rows * inner);
  const std::vector<float> b = summands(random, inner * columns);
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
  task.output<float>(product(a, {1, inner}, b, {1, columns}, rows, columns, inner));
  task.axes({{"row", rows}, {"column", columns}});
  constexpr std::int64_t kMistakenRows = 8;  // mistakes show in the first sizes that are tried
  if (n > kMistakenRows) return task;
  constexpr const char* kOrder = " is read as if it lay column after column.";
  task.mistake(product(a, {1, inner}, b, {inner, 1}, rows, columns, inner),
               std::string("B") + kOrder);
  task.mistake(product(a, {rows, 1}, b, {1, columns}, rows, columns, inner),
               std::string("A") + kOrder);
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
