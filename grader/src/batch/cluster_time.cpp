// SPDX-License-Identifier: MIT
// List scheduling, event by event.
#include "grader/batch/cluster_time.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>

namespace grader {
namespace {

/// makespan() if work is handed out at most once every `pass_seconds`.
double makespan_in_passes(const std::vector<double>& seconds, std::size_t workers,
                          double pass_seconds) {
  if (workers == 0) throw std::invalid_argument("there is nobody to do the work");
  // When each worker is free, the first of them on top.
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (std::size_t w = 0; w < workers; ++w) free.push(0);
  double pass = 0;
  double end = 0;
  for (const double one : seconds) {
    if (free.top() > pass) pass = std::max(free.top(), pass + pass_seconds);
    const double done = pass + one;
    free.pop();
    free.push(done);
    end = std::max(end, done);
  }
  return end;
}

}  // namespace

double makespan(const std::vector<double>& seconds, std::size_t workers) {
  return makespan_in_passes(seconds, workers, 0);
}

double seconds_on(const Cluster& cluster, const std::vector<double>& seconds) {
  std::vector<double> tasks;
  for (std::size_t task = 0; task < cluster.tasks; ++task) {
    std::vector<double> slice;
    for (std::size_t i = task; i < seconds.size(); i += cluster.tasks) slice.push_back(seconds[i]);
    tasks.push_back(makespan(slice, cluster.cores));
  }
  return makespan_in_passes(tasks, cluster.nodes, cluster.pass_seconds);
}

}  // namespace grader
