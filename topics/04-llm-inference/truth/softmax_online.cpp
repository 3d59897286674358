// SPDX-License-Identifier: MIT
// The truth of softmax, row by row in double precision.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/truth.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

constexpr std::size_t kRows = 3;

/// A masked start, a NaN, and plus infinity: one kind a row, so that each row shows its own rule.
void plant_special_values(std::vector<float>& x, std::size_t columns) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (std::size_t c = 0; c < columns / 2; ++c) x[c] = -kInfinity;
  x[columns - 1] = 1e30F;
  x[columns + columns / 3] = std::numeric_limits<float>::quiet_NaN();
  x[2 * columns + columns / 5] = kInfinity;
}

Task softmax_task(std::int64_t n, Random& random) {
  const auto columns = static_cast<std::size_t>(n);
  std::vector<float> x(kRows * columns);
  // Far from zero, so that exp without the maximum taken off overflows.
  for (float& value : x) value = static_cast<float>(random.uniform(80, 120));
  if (random.special_values()) plant_special_values(x, columns);

  Expected y{std::vector<double>(x.size()), {}};
  for (std::size_t row = 0; row < kRows; ++row) {
    const float* from = x.data() + row * columns;
    double highest = -std::numeric_limits<double>::max();
    for (std::size_t c = 0; c < columns; ++c) highest = std::fmax(highest, double{from[c]});
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c) sum += std::exp(from[c] - highest);
    for (std::size_t c = 0; c < columns; ++c) {
      y.value[row * columns + c] = std::exp(from[c] - highest) / sum;
    }
  }
  Task task;
  task.flops = 5 * static_cast<double>(x.size());
  task.bytes_moved = 8 * static_cast<double>(x.size());
  task.scalar(n);
  task.input(x);
  task.output<float>(std::move(y));
  return task;
}

HARNESS_TRUTH(softmax_online, softmax_task)

}  // namespace
