// SPDX-License-Identifier: MIT
// The oracle of softmax, row by row in double precision.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

constexpr std::size_t kRows = 3;

/// A masked start, a NaN, and plus infinity: one kind per row, so that each row tests its own rule.
void plant_special_values(std::vector<float>& x, std::size_t columns) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (std::size_t c = 0; c < columns / 2; ++c) x[c] = -kInfinity;
  x[columns - 1] = 1e30F;
  x[columns + columns / 3] = std::numeric_limits<float>::quiet_NaN();
  x[2 * columns + columns / 5] = kInfinity;
}

/// The first two numbers of a row rise in even rows and fall in odd ones, so that both late and
/// early maxima occur.
void begin_upwards_and_downwards(std::vector<float>& x, std::size_t columns) {
  for (std::size_t row = 0; row < kRows; ++row) {
    float* from = x.data() + row * columns;
    if ((from[0] < from[1]) != (row % 2 == 0)) std::swap(from[0], from[1]);
  }
}

/// Puts the last row far below zero: a kernel whose maximum starts at 0 gets exp() = 0 for the
/// whole row.
void lower_the_last_row(std::vector<float>& x, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c) x[(kRows - 1) * columns + c] -= 300;
}

Task softmax_task(std::int64_t n, Random& random) {
  const auto columns = static_cast<std::size_t>(n);
  // Far from zero, so that exp without subtracting the maximum overflows, and close enough together
  // that every number counts in its row's sum.
  const std::vector<double> drawn = random.spread(kRows * columns, 96, 104);
  std::vector<float> x(drawn.begin(), drawn.end());
  if (columns > 1) begin_upwards_and_downwards(x, columns);
  lower_the_last_row(x, columns);
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
  task.needs("bytes_loaded", 2 * sizeof(float) * static_cast<double>(x.size()));
  task.needs("bytes_stored", sizeof(float) * static_cast<double>(x.size()));
  task.scalar(n);
  task.input(x);
  std::vector<double> without_last_row = y.value;
  std::fill(without_last_row.end() - n, without_last_row.end(),
            std::numeric_limits<double>::quiet_NaN());
  std::vector<double> nothing(y.value.size(), std::numeric_limits<double>::quiet_NaN());
  task.output<float>(std::move(y));
  task.axes({{"row", kRows}, {"column", columns}});
  if (!random.special_values()) {
    task.mistake(
        {std::move(nothing), {}},
        "exp() overflows, or minus infinity is subtracted from itself. exp() must never be taken "
        "of a number above 0, nor a sum be brought to a new maximum by a factor above 1; and a "
        "thread that has no number of its row must not have minus infinity as its maximum.");
  }
  task.mistake({std::move(without_last_row), {}},
               "Where all numbers lie far below 0, nothing is left of them. Is the maximum that is "
               "taken off one of them?");
  task.mistake_in_rows(
      "The numbers of a row are in proportion and their sum is not 1. When the maximum grows, what "
      "was summed up before belongs to the old one.");
  return task;
}

HARNESS_ORACLE(softmax_online, softmax_task)

}  // namespace
