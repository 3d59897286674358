// SPDX-License-Identifier: MIT
// The oracles of the labs about which lane loads what: means of groups, structures to planes, and
// rows of a table.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;

constexpr std::size_t kGroup = 16;

/// Means of the numbers at group * between_groups + k * between_numbers.
Expected means_of(const std::vector<float>& x, std::size_t between_groups,
                  std::size_t between_numbers) {
  const std::size_t groups = x.size() / kGroup;
  Expected means{std::vector<double>(groups), std::vector<double>(groups)};
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t k = 0; k < kGroup; ++k) {
      const double part = double{x[group * between_groups + k * between_numbers]} / kGroup;
      means.value[group] += part;
      means.scale[group] += std::abs(part);
    }
  }
  return means;
}

/// n means of 16 numbers each.
Task pool_task(std::int64_t n, Random& random) {
  const auto groups = static_cast<std::size_t>(n);
  const std::vector<float> x = summands(random, groups * kGroup);
  Task task;
  task.flops = static_cast<double>(kGroup * groups);
  task.bytes_moved = 4.0 * static_cast<double>((kGroup + 1) * groups);
  task.input(x);
  task.output<float>(means_of(x, kGroup, 1));
  constexpr std::size_t kMistakenGroups = 128;  // mistakes show in the first sizes that are tried
  if (groups < 2 || groups > kMistakenGroups) return task;
  task.mistake(means_of(x, 1, 1), "The groups overlap: each begins one number after the last.");
  task.mistake(means_of(x, 1, groups), "The numbers of a group are taken from far apart.");
  return task;
}

/// n points with three fields.
Task planes_task(std::int64_t n, Random& random) {
  constexpr std::size_t kFields = 3;
  const auto points = static_cast<std::size_t>(n);
  const std::vector<float> in = random.floats(kFields * points);
  Expected planes{std::vector<double>(in.size()), {}};
  for (std::size_t i = 0; i < in.size(); ++i) {
    planes.value[i % kFields * points + i / kFields] = double{in[i]};
  }
  Task task;
  task.bytes_moved = 8.0 * static_cast<double>(in.size());
  task.input(in);
  task.output<float>(std::move(planes));
  return task;
}

/// n tokens, each referring to any of twice as many rows.
Task embedding_task(std::int64_t n, Random& random) {
  constexpr std::size_t kWidth = 64;
  const std::int64_t rows = 2 * n + 1;
  const std::vector<float> table = random.floats(kWidth * static_cast<std::size_t>(rows));
  std::vector<std::int32_t> tokens;
  std::set<std::int32_t> used;
  Expected out;
  for (std::int64_t t = 0; t < n; ++t) {
    // The first token refers to the last row, and so never to its own.
    const auto token = static_cast<std::int32_t>(t == 0 ? rows - 1 : random.integer(0, rows - 1));
    tokens.push_back(token);
    used.insert(token);
    const float* row = table.data() + kWidth * static_cast<std::size_t>(token);
    out.value.insert(out.value.end(), row, row + kWidth);
  }
  Task task;
  // A row that several tokens refer to has to be read only once.
  task.bytes_moved =
      4.0 * static_cast<double>(tokens.size() + kWidth * (tokens.size() + used.size()));
  task.input(tokens);
  task.input(table);
  task.output<float>(std::move(out));
  task.axes({{"token", tokens.size()}, {"number", kWidth}});
  return task;
}

HARNESS_ORACLE(embedding, embedding_task)
HARNESS_ORACLE(pool, pool_task)
HARNESS_ORACLE(planes, planes_task)

}  // namespace
