// SPDX-License-Identifier: MIT
// The oracle of the sum and of the dot product, added up in double precision.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Random;
using harness::Task;

/// Every element loaded once, and the formula's FLOPs. The slack is for the trees at the end of the
/// blocks, and for combining their results into one number.
void needs_reading(Task& task, double flops_slack) {
  constexpr double kResultBytes = 8;   // read and written
  constexpr double kLastBlock = 1024;  // its tree may be complete even if its elements are not
  task.needs("flops", task.flops, flops_slack + kLastBlock / task.flops);
  task.needs("bytes_loaded", task.bytes_moved, 1.01);
  task.needs("sectors_loaded", task.bytes_moved / 32, 1.25);
  task.needs("compulsory_bytes", task.bytes_moved + kResultBytes, 1.01);
}

/// Names the number that a sum lacks, such as the last of three in a tree that halves its width.
void name_missing_term(Task& task, const std::vector<float>& x, double sum, double scale) {
  constexpr std::size_t kFew = 5;
  for (std::size_t i = 0; x.size() > 1 && x.size() <= kFew && i < x.size(); ++i) {
    task.mistake({{sum - double{x[i]}}, {scale}},
                 "The sum lacks x[" + std::to_string(i) +
                     "]. Which thread adds it, and which level of the tree that thread's sum?");
  }
}

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
  needs_reading(task, 2);
  task.input(x);
  task.output<float>({{sum}, {scale}});
  name_missing_term(task, x, sum, scale);
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
  needs_reading(task, 1.5);
  task.input(x);
  task.input(y);
  task.output<float>({{sum}, {scale}});
  return task;
}

HARNESS_ORACLE(sum, sum_task)
HARNESS_ORACLE(dot, dot_task)

}  // namespace
