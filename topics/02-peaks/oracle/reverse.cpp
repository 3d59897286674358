// SPDX-License-Identifier: MIT
// The oracle of reverse: random inputs, and y = 2*x in double precision.
#include <cstddef>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"

namespace {

harness::Task reverse_task(std::int64_t n, harness::Random& random) {
  const auto count = static_cast<std::size_t>(n);
  const std::vector<float> x = random.floats(count);
  harness::Expected expected{std::vector<double>(count), {}};
  for (std::size_t i = 0; i < count; ++i) expected.value[i] = 2 * double{x[i]};

  harness::Task task;
  task.flops = static_cast<double>(n);
  task.bytes_moved = 8.0 * static_cast<double>(n);
  task.input(x);
  task.output<float>(std::move(expected));
  return task;
}

HARNESS_ORACLE(reverse, reverse_task);

}  // namespace
