// SPDX-License-Identifier: MIT
// The oracle of SAXPY: random inputs, and y = a*x + y in double precision.
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/oracle.hpp"

namespace {

harness::Task saxpy_task(std::int64_t n, harness::Random& random) {
  constexpr float kLargest = 1e37F;  // a x alone must not overflow
  const auto count = static_cast<std::size_t>(n);
  const auto a = static_cast<float>(random.factor());
  const std::vector<float> x = harness::limited(random.floats(count), kLargest);
  const std::vector<float> y = harness::limited(random.floats(count), kLargest);

  harness::Expected expected{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const double product = double{a} * double{x[i]};
    expected.value[i] = product + double{y[i]};
    // The two terms may cancel: rounding is relative to them, not to their sum.
    expected.scale[i] = std::abs(product) + std::abs(double{y[i]});
  }

  harness::Task task;
  task.flops = 2.0 * static_cast<double>(n);
  task.bytes_moved = 12.0 * static_cast<double>(n);
  task.scalar(a);
  task.input(x);
  task.in_out(y, std::move(expected));
  return task;
}

HARNESS_ORACLE(saxpy, saxpy_task);

}  // namespace
