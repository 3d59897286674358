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

/// n means of 16 numbers each.
Task pool_task(std::int64_t n, Random& random) {
  constexpr std::size_t kGroup = 16;
  const auto groups = static_cast<std::size_t>(n);
  const std::vector<float> x = summands(random, groups * kGroup);
  Expected means{std::vector<double>(groups), std::vector<double>(groups)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    means.value[i / kGroup] += double{x[i]} / kGroup;
    means.scale[i / kGroup] += std::abs(double{x[i]}) / kGroup;
  }
  Task task;
  task.flops = static_cast<double>(kGroup * groups);
  task.bytes_moved = 4.0 * static_cast<double>((kGroup + 1) * groups);
  task.input(x);
  task.output<float>(std::move(means));
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
