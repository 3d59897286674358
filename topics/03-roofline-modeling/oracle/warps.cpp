// SPDX-License-Identifier: MIT
// The oracles of the labs on what warps do: divergence, uneven work, atomics, reuse, banks, and
// optimising up to the roof.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"
#include "tame.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

/// n pairs. It does not matter that the factors are not cosines and sines.
Task rope_task(std::int64_t n, Random& random) {
  const auto pairs = static_cast<std::size_t>(n);
  const std::vector<float> x = tame_floats(random, 2 * pairs);
  const std::vector<float> turns = tame_floats(random, 2 * pairs);
  Expected y{std::vector<double>(2 * pairs), std::vector<double>(2 * pairs)};
  for (std::size_t i = 0; i < 2 * pairs; i += 2) {
    const double a = double{x[i]};
    const double b = double{x[i + 1]};
    const double c = double{turns[i]};
    const double s = double{turns[i + 1]};
    y.value[i] = a * c - b * s;
    y.scale[i] = std::abs(a * c) + std::abs(b * s);
    y.value[i + 1] = a * s + b * c;
    y.scale[i + 1] = std::abs(a * s) + std::abs(b * c);
  }
  Task task;
  task.flops = 6.0 * static_cast<double>(n);
  task.bytes_moved = 24.0 * static_cast<double>(n);
  task.input(x);
  task.input(turns);
  task.output<float>(std::move(y));
  return task;
}

/// n values: first every value once; after that every second one is among eight values.
Task histogram_task(std::int64_t n, Random& random) {
  constexpr std::int64_t kBins = 256;
  constexpr std::int64_t kOften = 8;
  const std::int64_t first = random.integer(0, kBins - 1);
  std::vector<std::int32_t> values;
  Expected counts{std::vector<double>(kBins), {}};
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t value = random.integer(0, kBins - 1);
    if (i % 2 == 0) value = kBins - 1 - value % kOften;
    if (i < kBins) value = (first + 37 * i) % kBins;
    values.push_back(static_cast<std::int32_t>(value));
    counts.value[static_cast<std::size_t>(value)] += 1;
  }
  Task task;
  task.bytes_moved = 4.0 * static_cast<double>(n) + 4.0 * static_cast<double>(kBins);
  task.input(values);
  task.output<std::int32_t>(std::move(counts));
  return task;
}

/// n keys for four heads.
Task repeat_task(std::int64_t n, Random& random) {
  constexpr std::size_t kHeads = 4;
  const std::vector<float> keys = random.floats(static_cast<std::size_t>(n));
  Expected heads{std::vector<double>(kHeads * keys.size()), {}};
  for (std::size_t i = 0; i < heads.value.size(); ++i) {
    heads.value[i] = double{keys[i % keys.size()]};
  }
  Task task;
  task.bytes_moved = 4.0 * static_cast<double>((1 + kHeads) * keys.size());
  task.input(keys);
  task.output<float>(std::move(heads));
  task.axes({{"head", kHeads}, {"number", keys.size()}});
  return task;
}

/// n queries with n keys.
Task scores_task(std::int64_t n, Random& random) {
  constexpr std::size_t kDim = 64;
  const auto count = static_cast<std::size_t>(n);
  const std::vector<float> queries = tame_floats(random, count * kDim, -0.5, 1);
  const std::vector<float> keys = tame_floats(random, count * kDim, -0.5, 1);
  Expected scores{std::vector<double>(count * count), std::vector<double>(count * count)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t k = 0; k < kDim; ++k) {
        const double product = double{queries[i * kDim + k]} * double{keys[j * kDim + k]};
        scores.value[i * count + j] += product;
        scores.scale[i * count + j] += std::abs(product);
      }
    }
  }
  Task task;
  task.flops = 2.0 * static_cast<double>(kDim * count * count);
  task.bytes_moved = 4.0 * static_cast<double>(count * (2 * kDim + count));
  task.scalar(n);
  task.input(queries);
  task.axes({{"query", count}, {"dimension", kDim}});
  task.input(keys);
  task.axes({{"key", count}, {"dimension", kDim}});
  task.output<float>(std::move(scores));
  task.axes({{"query", count}, {"key", count}});
  return task;
}

/// n tokens.
Task token_mean_task(std::int64_t n, Random& random) {
  constexpr std::size_t kWidth = 1024;
  const auto tokens = static_cast<std::size_t>(n);
  const std::vector<float> x = tame_floats(random, tokens * kWidth, -0.5, 1);
  Expected mean{std::vector<double>(kWidth), std::vector<double>(kWidth)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean.value[i % kWidth] += double{x[i]} / static_cast<double>(n);
    mean.scale[i % kWidth] += std::abs(double{x[i]}) / static_cast<double>(n);
  }
  Task task;
  task.flops = static_cast<double>(x.size());
  task.bytes_moved = 4.0 * static_cast<double>(x.size() + kWidth);
  task.scalar(n);
  task.input(x);
  task.output<float>(std::move(mean));
  return task;
}

/// n sequences of 0 to 510 numbers, the longest and an empty one among the first.
Task ragged_task(std::int64_t n, Random& random) {
  constexpr std::int64_t kLongest = 510;
  std::vector<std::int32_t> starts = {0};
  for (std::int64_t s = 0; s < n; ++s) {
    std::int64_t length = random.integer(0, kLongest);
    if (s < 2) length = s == 0 ? kLongest : 0;
    starts.push_back(starts.back() + static_cast<std::int32_t>(length));
  }
  const std::vector<float> x =
      tame_floats(random, static_cast<std::size_t>(starts.back()), -0.5, 1.5);
  const auto sequences = static_cast<std::size_t>(n);
  Expected sums{std::vector<double>(sequences), std::vector<double>(sequences)};
  for (std::size_t s = 0; s < sequences; ++s) {
    for (auto i = static_cast<std::size_t>(starts[s]); i < static_cast<std::size_t>(starts[s + 1]);
         ++i) {
      sums.value[s] += double{x[i]};
      sums.scale[s] += std::abs(double{x[i]});
    }
  }
  Task task;
  task.flops = static_cast<double>(x.size());
  task.bytes_moved = 4.0 * static_cast<double>(starts.size() + x.size() + sequences);
  task.input(starts);
  task.input(x);
  task.output<float>(std::move(sums));
  return task;
}

HARNESS_ORACLE(ragged, ragged_task)
HARNESS_ORACLE(rope, rope_task)
HARNESS_ORACLE(histogram, histogram_task)
HARNESS_ORACLE(repeat, repeat_task)
HARNESS_ORACLE(scores, scores_task)
HARNESS_ORACLE(token_mean, token_mean_task)

}  // namespace
