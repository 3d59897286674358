// SPDX-License-Identifier: MIT
// The oracles of the labs on occupancy, bytes in flight and sectors: a codebook, a scaling, and
// differences.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"

namespace {

/// The codebook has as many entries as the lab's.
harness::Task codebook_task(std::int64_t n, harness::Random& random) {
  constexpr std::size_t kEntries = 8192;
  const std::vector<float> book = random.floats(kEntries);
  std::vector<std::int32_t> codes(static_cast<std::size_t>(n));
  harness::Expected weights{std::vector<double>(codes.size()), {}};
  for (std::size_t i = 0; i < codes.size(); ++i) {
    // The last entry always occurs.
    const std::int64_t code = i == 0 ? kEntries - 1 : random.integer(0, kEntries - 1);
    codes[i] = static_cast<std::int32_t>(code);
    weights.value[i] = double{book[static_cast<std::size_t>(code)]};
  }
  harness::Task task;
  task.bytes_moved = 8.0 * static_cast<double>(n) + 4.0 * static_cast<double>(kEntries);
  task.input(codes);
  task.input(book);
  task.output<float>(std::move(weights));
  return task;
}

harness::Task few_threads_task(std::int64_t n, harness::Random& random) {
  const auto factor = static_cast<float>(random.factor());
  const std::vector<float> x = random.floats(static_cast<std::size_t>(n));
  harness::Expected y{std::vector<double>(x.size()), {}};
  for (std::size_t i = 0; i < x.size(); ++i) y.value[i] = double{factor} * double{x[i]};
  harness::Task task;
  task.flops = static_cast<double>(n);
  task.bytes_moved = 8.0 * static_cast<double>(n);
  task.scalar(factor);
  task.input(x);
  task.output<float>(std::move(y));
  return task;
}

harness::Task differences_task(std::int64_t n, harness::Random& random) {
  constexpr float kLargest = 1e37F;  // the difference of two must not overflow
  const auto count = static_cast<std::size_t>(n);
  const std::vector<float> x = harness::limited(random.floats(count + 1), kLargest);
  harness::Expected y{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    y.value[i] = double{x[i + 1]} - double{x[i]};
    y.scale[i] = std::abs(double{x[i + 1]}) + std::abs(double{x[i]});
  }
  harness::Task task;
  task.flops = static_cast<double>(n);
  task.bytes_moved = 8.0 * static_cast<double>(n) + 4;
  task.input(x);
  task.output<float>(std::move(y));
  return task;
}

HARNESS_ORACLE(codebook, codebook_task);
HARNESS_ORACLE(differences, differences_task);
HARNESS_ORACLE(few_threads, few_threads_task);

}  // namespace
