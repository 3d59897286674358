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
  constexpr std::size_t kMistakenCount = 64;  // mistakes show in the first sizes that are tried
  if (count > kMistakenCount) return task;
  harness::Expected sum_first{std::vector<double>(count), {}};
  harness::Expected product_first{std::vector<double>(count), {}};
  for (std::size_t i = 0; i < count; ++i) {
    sum_first.value[i] = double{s} * (double{x[i]} + double{b[i]}) * double{g[i]};
    product_first.value[i] = double{s} * double{x[i]} + double{b[i]} * double{g[i]};
  }
  task.mistake(std::move(sum_first), "b is added before the multiplication by s.");
  task.mistake(std::move(product_first), "Only b is multiplied by g.");
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

/// Divides each row by root(sum of its squares), and multiplies it by the weight.
template <class Root>
std::vector<double> normalised(const std::vector<double>& sums, const std::vector<float>& weight,
                               const Root& root) {
  std::vector<double> result(sums.size());
  const std::size_t columns = weight.size();
  for (std::size_t first = 0; first < sums.size(); first += columns) {
    double squares = 0;
    for (std::size_t j = first; j < first + columns; ++j) squares += sums[j] * sums[j];
    for (std::size_t j = 0; j < columns; ++j) {
      result[first + j] = sums[first + j] / root(squares) * double{weight[j]};
    }
  }
  return result;
}

harness::Task norm_task(std::int64_t n, harness::Random& random) {
  const Rows rows = rows_of(n);
  const std::size_t count = rows.count * rows.columns;
  const auto epsilon = static_cast<float>(random.uniform(1e-6, 1e-4));
  const std::vector<float> weight = tame_floats(random, rows.columns, 0.5, 2);
  const std::vector<float> residual = tame_floats(random, count);
  const std::vector<float> x = tame_floats(random, count);
  harness::Expected sums{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    sums.value[i] = double{residual[i]} + double{x[i]};
    sums.scale[i] = std::fabs(double{residual[i]}) + std::fabs(double{x[i]});
  }
  const auto columns = static_cast<double>(rows.columns);
  const auto normal_with = [&, values = sums.value](const auto& root) {
    return harness::Expected{normalised(values, weight, root), {}};
  };
  harness::Expected normal =
      normal_with([&](double squares) { return std::sqrt(squares / columns + double{epsilon}); });
  normal.scale.resize(count);
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
  constexpr std::size_t kMistakenColumns = 300;
  if (rows.columns > kMistakenColumns) return task;
  task.mistake(
      normal_with([&](double squares) { return std::sqrt(squares / columns) + double{epsilon}; }),
      "Epsilon is added to the root. It belongs below the root, to the mean of the squares.");
  task.mistake(normal_with([&](double squares) { return std::sqrt(squares / columns); }),
               "Epsilon is left out.");
  for (const double added : {double{epsilon}, 0.0}) {
    task.mistake(normal_with([&](double squares) { return std::sqrt(squares + added); }),
                 "The row is divided by the root of the sum of its squares. Take their mean.");
  }
  return task;
}

HARNESS_ORACLE(fused_chain, chain_task)
HARNESS_ORACLE(separate_chain, chain_task)
HARNESS_ORACLE(fused_norm, norm_task)
HARNESS_ORACLE(separate_norm, norm_task)

}  // namespace
