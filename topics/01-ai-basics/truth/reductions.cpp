// SPDX-License-Identifier: MIT
// The truth of the sum and of the dot product, added up in double precision.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/truth.hpp"
#include "inputs.hpp"

namespace {

using harness::Random;
using harness::Task;

Task sum_task(std::int64_t n, Random& random) {
  const std::vector<float> x = summands(random, static_cast<std::size_t>(n));
  double sum = 0;
  double scale = 0;
  for (const float value : x) {
    sum += double{value};
    scale += std::abs(double{value});
  }
  Task task;
  task.flops = static_cast<double>(n);
  task.bytes_moved = 4 * static_cast<double>(n);
  task.input(x);
  task.output<float>({{sum}, {scale}});
  return task;
}

Task dot_task(std::int64_t n, Random& random) {
  const std::vector<float> x = summands(random, static_cast<std::size_t>(n));
  const std::vector<float> y = summands(random, static_cast<std::size_t>(n));
  double sum = 0;
  double scale = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double product = double{x[i]} * double{y[i]};
    sum += product;
    scale += std::abs(product);
  }
  Task task;
  task.flops = 2 * static_cast<double>(n);
  task.bytes_moved = 8 * static_cast<double>(n);
  task.input(x);
  task.input(y);
  task.output<float>({{sum}, {scale}});
  return task;
}

HARNESS_TRUTH(sum, sum_task)
HARNESS_TRUTH(dot, dot_task)

}  // namespace
