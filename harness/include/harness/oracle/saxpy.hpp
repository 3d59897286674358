// SPDX-License-Identifier: MIT
// The task of SAXPY, y = a*x + y, which several topics have a lab of.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"

namespace harness {

inline Task saxpy_task(std::int64_t n, Random& random) {
  constexpr float kLargest = 1e37F;  // a x alone must not overflow
  const auto count = static_cast<std::size_t>(n);
  const auto a = static_cast<float>(random.factor());
  const std::vector<float> x = limited(random.floats(count), kLargest);
  const std::vector<float> y = limited(random.floats(count), kLargest);
  Expected expected{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const double product = double{a} * double{x[i]};
    expected.value[i] = product + double{y[i]};
    // The two terms may cancel: rounding is relative to them, not to their sum.
    expected.scale[i] = std::abs(product) + std::abs(double{y[i]});
  }
  Task task;
  task.flops = 2.0 * static_cast<double>(n);
  task.bytes_moved = 12.0 * static_cast<double>(n);
  task.scalar(a);
  task.input(x);
  task.in_out(y, std::move(expected));
  return task;
}

}  // namespace harness
