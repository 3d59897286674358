// SPDX-License-Identifier: MIT
// Oracles of the test course.
#include <cmath>
#include <utility>
#include <vector>

#include "harness/oracle/saxpy.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

Task total_task(std::int64_t n, Random& random) {
  const std::vector<float> x = random.floats(static_cast<std::size_t>(n), -0.5, 1.5);
  double sum = 0;
  double scale = 0;
  for (const float value : x) {
    sum += value;
    scale += std::fabs(value);
  }
  Task task;
  task.flops = static_cast<double>(n);
  task.bytes_moved = 4.0 * static_cast<double>(n);
  task.input(x);
  task.output<float>({{sum}, {scale}});
  return task;
}

Task smooth_task(std::int64_t n, Random& random) {
  const auto count = static_cast<std::size_t>(n);
  const std::vector<float> x = random.floats(count + 1, 0, 1);
  Expected expected{std::vector<double>(count), {}};
  for (std::size_t i = 0; i < count; ++i) expected.value[i] = double{x[i]} + x[i + 1];
  Task task;
  task.flops = static_cast<double>(n);
  task.bytes_moved = 8.0 * static_cast<double>(n);
  task.needs("flops", task.flops);
  task.needs("bytes_loaded", 8.0 * static_cast<double>(n));
  task.needs("bytes_stored", 4.0 * static_cast<double>(n));
  task.needs("sectors_loaded", static_cast<double>(n / 4 + 4), 1.25);
  task.input(x);
  task.output<float>(std::move(expected));
  return task;
}

Task transpose_task(std::int64_t n, Random& random) {
  const auto rows = static_cast<std::size_t>(n);
  const std::size_t columns = rows + 3;
  const std::vector<float> in = random.floats(rows * columns);
  Expected expected{std::vector<double>(rows * columns), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      expected.value[j * rows + i] = in[i * columns + j];
    }
  }
  Task task;
  task.bytes_moved = 8.0 * static_cast<double>(rows * columns);
  task.scalar(static_cast<int>(rows));
  task.scalar(static_cast<int>(columns));
  task.input(in);
  task.axes({{"row", rows}, {"column", columns}});
  task.output<float>(std::move(expected));
  task.axes({{"row", columns}, {"column", rows}});
  return task;
}

HARNESS_ORACLE(saxpy, harness::saxpy_task)
HARNESS_ORACLE(smooth, smooth_task)
HARNESS_ORACLE(total, total_task)
HARNESS_ORACLE(transpose, transpose_task)

}  // namespace
