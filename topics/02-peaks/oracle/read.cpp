// SPDX-License-Identifier: MIT
// The oracles of the read-only streams: a sum, and the rungs of the memory ladder.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/oracle.hpp"

namespace {

/// Adds to element `at` of `expected` all elements [begin, end) of x, `times` times.
void accumulate(const std::vector<double>& x, std::size_t begin, std::size_t end, double times,
                harness::Expected& expected, std::size_t at) {
  double sum = 0;
  double magnitude = 0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += x[i];
    magnitude += std::abs(x[i]);
  }
  expected.value[at] += times * sum;
  expected.scale[at] += times * magnitude;
}

/// Sums of numbers up to this size stay finite in any order of additions, even if read 64 times.
constexpr double kLargest = 1e300;

/// Numbers of both signs whose sums do not cancel.
std::vector<double> summands(std::int64_t n, harness::Random& random) {
  return harness::limited(random.doubles(static_cast<std::size_t>(n), -0.5, 1.5), kLargest);
}

harness::Task sum_task(std::int64_t n, harness::Random& random) {
  const std::vector<double> x = summands(n, random);
  harness::Expected expected{{0.0}, {0.0}};
  accumulate(x, 0, x.size(), 1, expected, 0);
  harness::Task task;
  task.flops = static_cast<double>(n);
  task.bytes_moved = 8.0 * static_cast<double>(n) + 8;
  task.input(x);
  task.in_out(std::vector<double>{random.uniform(1, 2)}, std::move(expected));
  return task;
}

/// Pieces, passes and shift vary with the size, so that all combinations are tried.
struct LadderShape {
  std::size_t pieces;
  std::int64_t passes;
  std::int64_t shift;
};

constexpr std::int64_t kLarge = 1 << 16;
/// Four pieces that fit together into one multiprocessor's L1, for the virtual GPU.
constexpr std::int64_t kInCache = 18432;

LadderShape ladder_shape(std::int64_t n) {
  if (n == kInCache) return {4, 256, 0};
  if (n >= kLarge) return {2, 64, 0};
  return {static_cast<std::size_t>(1 + n % 7), n % 5, n % 3};
}

harness::Task ladder_task(std::int64_t n, harness::Random& random) {
  const LadderShape shape = ladder_shape(n);
  const std::vector<double> x = summands(n, random);
  const std::size_t length = (x.size() + shape.pieces - 1) / shape.pieces;
  harness::Expected expected{std::vector<double>(shape.pieces), std::vector<double>(shape.pieces)};
  for (std::size_t block = 0; block < shape.pieces; ++block) {
    for (std::int64_t pass = 0; pass < shape.passes; ++pass) {
      const std::size_t piece =
          (block + static_cast<std::size_t>(pass * shape.shift)) % shape.pieces;
      accumulate(x, std::min(piece * length, x.size()), std::min((piece + 1) * length, x.size()), 1,
                 expected, block);
    }
  }
  harness::Task task;
  task.flops = static_cast<double>(n) * static_cast<double>(shape.passes);
  task.bytes_moved = 8.0 * static_cast<double>(n);
  // A thread may keep a few elements in registers from pass to pass, but not a large share of them.
  if (n >= kLarge) task.at_least("bytes_loaded", 8 * task.flops);
  task.scalar(shape.passes);
  task.scalar(shape.shift);
  task.input(x);
  task.output<double>(std::move(expected));
  return task;
}

HARNESS_ORACLE(sum, sum_task);
HARNESS_ORACLE(ladder, ladder_task);

}  // namespace
