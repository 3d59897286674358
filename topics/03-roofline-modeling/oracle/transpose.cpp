// SPDX-License-Identifier: MIT
// The oracle of the transposition lab: a matrix of n rows and 2n columns.
#include <cstddef>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"

namespace {

harness::Task transpose_task(std::int64_t n, harness::Random& random) {
  const auto rows = static_cast<std::size_t>(n);
  const std::size_t columns = 2 * rows;
  const std::vector<float> in = random.floats(rows * columns);
  harness::Expected expected{std::vector<double>(rows * columns), {}};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      expected.value[column * rows + row] = double{in[row * columns + column]};
    }
  }
  harness::Task task;
  task.bytes_moved = 8.0 * static_cast<double>(rows * columns);
  task.scalar(static_cast<std::int64_t>(rows));
  task.scalar(static_cast<std::int64_t>(columns));
  task.input(in);
  task.axes({{"row", rows}, {"column", columns}});
  task.output<float>(std::move(expected));
  task.axes({{"row", columns}, {"column", rows}});
  return task;
}

HARNESS_ORACLE(transpose, transpose_task)

}  // namespace
