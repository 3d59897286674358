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

/// Pairs of numbers `apart` from each other, the first of pair i at i * step, rotated by angles of
/// sign `direction`.
Expected rotated(const std::vector<float>& x, const std::vector<float>& turns, std::size_t step,
                 std::size_t apart, double direction) {
  Expected y{std::vector<double>(x.size()), std::vector<double>(x.size())};
  for (std::size_t i = 0; i < x.size() / 2; ++i) {
    const std::size_t first = i * step;
    const std::size_t second = first + apart;
    const double a = double{x[first]};
    const double b = double{x[second]};
    const double c = double{turns[2 * i]};
    const double s = direction * double{turns[2 * i + 1]};
    y.value[first] = a * c - b * s;
    y.scale[first] = std::abs(a * c) + std::abs(b * s);
    y.value[second] = a * s + b * c;
    y.scale[second] = std::abs(a * s) + std::abs(b * c);
  }
  return y;
}

/// n pairs of neighbours. It does not matter that the factors are not cosines and sines.
Task rope_task(std::int64_t n, Random& random) {
  const auto pairs = static_cast<std::size_t>(n);
  const std::vector<float> x = tame_floats(random, 2 * pairs);
  const std::vector<float> turns = tame_floats(random, 2 * pairs);
  Task task;
  task.flops = 6.0 * static_cast<double>(n);
  task.bytes_moved = 24.0 * static_cast<double>(n);
  task.input(x);
  task.input(turns);
  task.output<float>(rotated(x, turns, 2, 1, 1));
  constexpr std::size_t kMistakenPairs = 64;  // mistakes show in the first sizes that are tried
  if (pairs > kMistakenPairs) return task;
  task.mistake(rotated(x, turns, 2, 1, -1), "The pairs are rotated the other way round.");
  task.mistake(rotated(x, turns, 1, pairs, 1),
               "Numbers of the first half are paired with those of the second, as some models do. "
               "Here neighbours are a pair.");
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
  constexpr std::size_t kMistakenTokens = 8;  // mistakes show in the first sizes that are tried
  if (tokens > kMistakenTokens) return task;
  Expected along_rows{std::vector<double>(kWidth), std::vector<double>(kWidth)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    along_rows.value[i / tokens] += double{x[i]} / static_cast<double>(n);
    along_rows.scale[i / tokens] += std::abs(double{x[i]}) / static_cast<double>(n);
  }
  task.mistake(std::move(along_rows),
               "These are means of neighbouring numbers. Those of a column are a row apart.");
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
