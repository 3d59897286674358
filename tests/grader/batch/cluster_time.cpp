// SPDX-License-Identifier: MIT
// Simulated clusters compared with results worked out by hand, the bounds of list scheduling, and a
// class that was measured.
#include "grader/batch/cluster_time.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>

#include "base/csv.hpp"
#include "support/catch.hpp"

using grader::makespan;
using grader::seconds_on;

namespace {

std::vector<double> measured() {
  const base::CsvFile csv(std::filesystem::path(RL_SOURCE) /
                          "data/measured/grader_submissions.csv");
  std::vector<double> seconds;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    seconds.push_back(std::stod(csv.field(row, "seconds")));
  }
  return seconds;
}

/// Graham's bounds.
void check_bounds(const std::vector<double>& seconds, std::size_t workers) {
  const double work = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  const double longest = *std::max_element(seconds.begin(), seconds.end());
  const auto n = static_cast<double>(workers);
  const double end = makespan(seconds, workers);
  INFO(workers << " workers");
  CHECK(end >= std::max(work / n, longest) * (1 - 1e-12));
  CHECK(end <= (work / n + (1 - 1 / n) * longest) * (1 + 1e-12));
}

}  // namespace

TEST_CASE("works that are worked out by hand", "[cluster]") {
  CHECK(makespan({}, 3) == 0);
  CHECK(makespan({3, 1, 2}, 1) == 6);
  CHECK(makespan({3, 1, 2}, 2) == 3);
  CHECK(makespan({3, 1, 2}, 7) == 3);
  CHECK(makespan(std::vector<double>(10, 2.0), 4) == 6);  // ceil(10 / 4) rounds
  CHECK_THROWS(makespan({1}, 0));
  // Graham's worst case: n (n - 1) short jobs followed by one of length n take 2 n - 1, not n.
  for (const int n : {2, 4, 9}) {
    std::vector<double> works(static_cast<std::size_t>(n * (n - 1)), 1.0);
    works.push_back(n);
    CHECK(makespan(works, static_cast<std::size_t>(n)) == 2 * n - 1);
  }
}

TEST_CASE("tasks are slices, and a free node takes the next", "[cluster]") {
  const std::vector<double> seconds = {4, 1, 1, 1, 1};
  // Slices {4, 1, 1} and {1, 1}, one at a time.
  CHECK(seconds_on({.nodes = 2, .cores = 1, .tasks = 2}, seconds) == 6);
  // One submission per task: the other node does the rest.
  CHECK(seconds_on({.nodes = 2, .cores = 1, .tasks = 5}, seconds) == 4);
  // Two cores finish {4, 1, 1} in 4.
  CHECK(seconds_on({.nodes = 2, .cores = 2, .tasks = 2}, seconds) == 4);
  // One node runs the tasks one after another: 4 + 1.
  CHECK(seconds_on({.nodes = 1, .cores = 2, .tasks = 2}, seconds) == 5);
  CHECK(seconds_on({.nodes = 3, .cores = 2, .tasks = 1}, seconds) == makespan(seconds, 2));
}

TEST_CASE("a node that is free waits for Slurm's next pass", "[cluster]") {
  const std::vector<double> ones(4, 1.0);
  CHECK(seconds_on({.nodes = 1, .cores = 1, .tasks = 4, .pass_seconds = 3}, ones) == 3 * 3 + 1);
  // Both nodes get a task at 0 and at 3.
  CHECK(seconds_on({.nodes = 2, .cores = 1, .tasks = 4, .pass_seconds = 3}, ones) == 3 + 1);
  // One is free at 4 and gets its task at once; the other, free at 5, waits until 7.
  const std::vector<double> longer = {4, 5, 4, 5};
  CHECK(seconds_on({.nodes = 2, .cores = 1, .tasks = 4, .pass_seconds = 3}, longer) == 7 + 5);
  CHECK(seconds_on({.nodes = 2, .cores = 1, .tasks = 4, .pass_seconds = 0}, longer) == 10);
}

TEST_CASE("two nodes that were measured took as long as one of them lets expect", "[cluster]") {
  const base::CsvFile csv(std::filesystem::path(RL_SOURCE) / "data/measured/grader_nodes.csv");
  const auto median = [&](const std::string& nodes, const std::string& column) {
    std::vector<double> values;
    for (std::size_t row = 0; row < csv.size(); ++row) {
      if (csv.field(row, "nodes") == nodes) values.push_back(std::stod(csv.field(row, column)));
    }
    REQUIRE(values.size() % 2 == 1);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  };
  const auto tasks = static_cast<std::size_t>(std::stoul(csv.field(0, "tasks")));
  const std::vector<double> slices(tasks, median("1", "task_seconds") / static_cast<double>(tasks));
  const double around =
      median("1", "first_start") + median("1", "merge_start") + median("1", "merge_seconds");
  for (const std::size_t nodes : {1, 2}) {
    INFO(nodes);
    const double expected =
        around +
        seconds_on({.nodes = nodes, .cores = 1, .tasks = tasks, .pass_seconds = 3}, slices);
    CHECK(expected == Approx(median(std::to_string(nodes), "seconds")).epsilon(0.15));
  }
}

TEST_CASE("the end is within the bounds of list scheduling", "[cluster]") {
  std::mt19937 random(17);
  std::exponential_distribution<double> length(0.3);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> seconds(200);
    for (double& one : seconds) one = length(random);
    for (const std::size_t workers : {1, 2, 3, 8, 64, 300}) check_bounds(seconds, workers);
  }
  for (std::size_t workers = 1; workers <= 128; workers *= 2) check_bounds(measured(), workers);
}

TEST_CASE("the measured class on two workers takes as long as it took", "[cluster]") {
  const base::CsvFile csv(std::filesystem::path(RL_SOURCE) / "data/measured/grader_class.csv");
  REQUIRE(csv.field(0, "jobs") == "2");
  CHECK(makespan(measured(), 2) == Approx(std::stod(csv.field(0, "seconds"))).epsilon(0.01));
}

TEST_CASE("more nodes are never slower than the longest submission demands", "[cluster]") {
  const std::vector<double> seconds = measured();
  const double longest = *std::max_element(seconds.begin(), seconds.end());
  const double work = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  for (std::size_t nodes = 1; nodes <= 64; nodes *= 2) {
    const double end = seconds_on({.nodes = nodes, .cores = 2, .tasks = 4 * nodes}, seconds);
    INFO(nodes);
    CHECK(end >= std::max(longest, work / (2.0 * static_cast<double>(nodes))) - 1e-9);
    CHECK(end <= work);
  }
}
