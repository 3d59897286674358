// SPDX-License-Identifier: MIT
// Simulates how long grading a class takes on a cluster that is not available here.
#pragma once

#include <cstddef>
#include <vector>

namespace grader {

/// When the last job finishes if every idle worker takes the next one from the list, as the threads
/// of `grader batch --jobs` do. With W the sum and L the longest job, it is at least max(W/n, L)
/// and at most W/n + (1 - 1/n) L for n workers (Graham, 1966).
double makespan(const std::vector<double>& seconds, std::size_t workers);

/// The cluster that grades a class.
struct Cluster {
  std::size_t nodes = 1;
  std::size_t cores = 2;  ///< per node: its --jobs
  std::size_t tasks = 1;  ///< of --slurm
  /// Slurm gives tasks to all nodes that are free when one has become free, but does so at most
  /// once in this time (3 s unless batch_sched_delay says another).
  double pass_seconds = 0;
};

/// The same for `grader batch --slurm`: task K of T has the submissions at the places K, K+T ...,
/// and a node that is free takes the next task at Slurm's next pass. The wait before the first, the
/// start of a task and the merge are not part of it.
double seconds_on(const Cluster& cluster, const std::vector<double>& seconds);

}  // namespace grader
