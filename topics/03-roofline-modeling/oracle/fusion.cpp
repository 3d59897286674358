// SPDX-License-Identifier: MIT
// The oracles of the fusion labs: a chain of element-wise operations, and RMSNorm with a residual.
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"
#include "tame.hpp"

namespace {

harness::Task chain_task(std::int64_t n, harness::Random& random) {
  const auto count = static_cast<std::size_t>(n);
  const auto s = static_cast<float>(random.factor());
  const std::vector<float> b = tame_floats(random, count);
  const std::vector<float> g = tame_floats(random, count);
  const std::vector<float> x = tame_floats(random, count);
  harness::Expected expected{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const double product = double{s} * double{x[i]};
    expected.value[i] = (product + double{b[i]}) * double{g[i]};
    expected.scale[i] = (std::fabs(product) + std::fabs(double{b[i]})) * std::fabs(double{g[i]});
  }
  harness::Task task;
  task.flops = 3.0 * static_cast<double>(n);
  task.bytes_moved = 16.0 * static_cast<double>(n);
  task.needs("flops", task.flops);
  task.needs("bytes_loaded", 12.0 * static_cast<double>(n));
  task.needs("bytes_stored", 4.0 * static_cast<double>(n));
  task.scalar(s);
  task.input(b);
  task.input(g);
  task.in_out(x, std::move(expected));
  return task;
}

/// Rows of a common width for large tasks, otherwise three rows of n columns.
struct Rows {
  std::size_t count, columns;
};

Rows rows_of(std::int64_t n) {
  constexpr std::int64_t kWidth = 4096;
  constexpr std::int64_t kFew = 3;
  if (n > kWidth && n % kWidth == 0) {
    return {static_cast<std::size_t>(n / kWidth), static_cast<std::size_t>(kWidth)};
  }
  return {static_cast<std::size_t>(kFew), static_cast<std::size_t>(n)};
}

void normalise(const double* sums, const std::vector<float>& weight, double epsilon,
               double* result) {
  const std::size_t columns = weight.size();
  double squares = 0;
  for (std::size_t j = 0; j < columns; ++j) squares += sums[j] * sums[j];
  const double scale = 1 / std::sqrt(squares / static_cast<double>(columns) + epsilon);
  for (std::size_t j = 0; j < columns; ++j) result[j] = sums[j] * scale * double{weight[j]};
}

harness::Task norm_task(std::int64_t n, harness::Random& random) {
  const Rows rows = rows_of(n);
  const std::size_t count = rows.count * rows.columns;
  const auto epsilon = static_cast<float>(random.uniform(1e-6, 1e-4));
  const std::vector<float> weight = tame_floats(random, rows.columns, 0.5, 2);
  const std::vector<float> residual = tame_floats(random, count);
  const std::vector<float> x = tame_floats(random, count);
  harness::Expected sums{std::vector<double>(count), std::vector<double>(count)};
  harness::Expected normal{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    sums.value[i] = double{residual[i]} + double{x[i]};
    sums.scale[i] = std::fabs(double{residual[i]}) + std::fabs(double{x[i]});
  }
  for (std::size_t row = 0; row < rows.count; ++row) {
    const std::size_t first = row * rows.columns;
    normalise(sums.value.data() + first, weight, epsilon, normal.value.data() + first);
  }
  // Where residual and x nearly cancel, the rounding error of the sum is amplified.
  for (std::size_t i = 0; i < count; ++i) {
    const double factor = sums.value[i] == 0 ? 0 : std::fabs(normal.value[i] / sums.value[i]);
    normal.scale[i] = std::fabs(normal.value[i]) + factor * sums.scale[i];
  }
  harness::Task task;
  task.flops = 5.0 * static_cast<double>(count);
  task.bytes_moved = 16.0 * static_cast<double>(count);
  task.scalar(epsilon);
  task.input(weight);
  task.in_out(residual, std::move(sums));
  task.axes({{"row", rows.count}, {"column", rows.columns}});
  task.in_out(x, std::move(normal));
  task.axes({{"row", rows.count}, {"column", rows.columns}});
  return task;
}

HARNESS_ORACLE(fused_chain, chain_task)
HARNESS_ORACLE(separate_chain, chain_task)
HARNESS_ORACLE(fused_norm, norm_task)
HARNESS_ORACLE(separate_norm, norm_task)

}  // namespace
