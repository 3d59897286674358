// SPDX-License-Identifier: MIT
// The oracles of the four streams: copy, scale, add, triad.
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/oracle.hpp"

namespace {

/// Output values, and the magnitude of the terms that were added for each.
template <class Compute>
harness::Expected expected_of(std::size_t count, const Compute& compute) {
  harness::Expected expected{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const auto [first, second] = compute(i);
    expected.value[i] = first + second;
    expected.scale[i] = std::abs(first) + std::abs(second);
  }
  return expected;
}

struct Terms {
  double first;
  double second;
};

harness::Task task_of(std::int64_t n, double flops_per_element, double arrays) {
  harness::Task task;
  task.flops = flops_per_element * static_cast<double>(n);
  task.bytes_moved = arrays * sizeof(double) * static_cast<double>(n);
  return task;
}

harness::Task copy_task(std::int64_t n, harness::Random& random) {
  const std::vector<double> x = random.doubles(static_cast<std::size_t>(n));
  harness::Task task = task_of(n, 0, 2);
  task.input(x);
  task.output<double>({x, {}});
  return task;
}

harness::Task scale_task(std::int64_t n, harness::Random& random) {
  const double scalar = random.factor();
  const std::vector<double> x = random.doubles(static_cast<std::size_t>(n));
  harness::Task task = task_of(n, 1, 2);
  task.scalar(scalar);
  task.input(x);
  task.output<double>(expected_of(x.size(), [&](std::size_t i) {
    return Terms{scalar * x[i], 0};
  }));
  return task;
}

harness::Task add_task(std::int64_t n, harness::Random& random) {
  const std::vector<double> x = random.doubles(static_cast<std::size_t>(n));
  const std::vector<double> y = random.doubles(static_cast<std::size_t>(n));
  harness::Task task = task_of(n, 1, 3);
  task.input(x);
  task.input(y);
  task.output<double>(expected_of(x.size(), [&](std::size_t i) { return Terms{x[i], y[i]}; }));
  return task;
}

harness::Task triad_task(std::int64_t n, harness::Random& random) {
  constexpr double kLargest = 1e307;  // scalar * y alone must not overflow
  const double scalar = random.factor();
  const std::vector<double> x =
      harness::limited(random.doubles(static_cast<std::size_t>(n)), kLargest);
  const std::vector<double> y =
      harness::limited(random.doubles(static_cast<std::size_t>(n)), kLargest);
  harness::Task task = task_of(n, 2, 3);
  const double array = sizeof(double) * static_cast<double>(n);
  task.needs("flops", task.flops);
  task.needs("bytes_loaded", 2 * array);
  task.needs("bytes_stored", array);
  // With an odd number of elements, the last may need a sector of its own.
  task.needs("sectors_loaded", 2 * std::ceil(array / 32), 1.1);
  task.needs("sectors_stored", std::ceil(array / 32), 1.1);
  task.scalar(scalar);
  task.input(x);
  task.input(y);
  const auto sum_of = [&](const std::vector<double>& once, const std::vector<double>& times) {
    return expected_of(x.size(), [&](std::size_t i) { return Terms{once[i], scalar * times[i]}; });
  };
  task.output<double>(sum_of(x, y));
  // As in SAXPY.
  if (!random.special_values()) task.mistake(sum_of(y, x), "x is multiplied by the scalar, not y.");
  return task;
}

HARNESS_ORACLE(copy, copy_task);
HARNESS_ORACLE(scale, scale_task);
HARNESS_ORACLE(add, add_task);
HARNESS_ORACLE(triad, triad_task);

}  // namespace
