// SPDX-License-Identifier: MIT
// Turns a model on machines into a system to simulate, and runs many of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "roofline/llm/expectation.hpp"
#include "roofline/serve/summary.hpp"

namespace roofline::serve {

/// GPUs that do one kind of work, and how the model is spread over them.
struct Group {
  llm::System system;  ///< with efficiencies; ranks: tensor parallelism
  Spread spread;
  int instances = 1;  ///< data parallelism

  double gpus() const {
    return static_cast<double>(system.ranks) * spread.pipeline * spread.experts * instances;
  }
};

struct Deployment {
  llm::Model model;
  llm::Formats formats;
  std::optional<llm::Model> draft = {};
  llm::Formats draft_formats = {};
  Group group;  ///< with `decode`, the group that prefills
  std::optional<Group> decode = {};
  Scheduler scheduler;  ///< blocks empty: as many as fit in memory
  double memory_fraction = 0.9;
  Transfer transfer = {};  ///< bytes_per_token is filled in
  std::int64_t most_in_flight = 0;
  double sample_seconds = 0;

  double gpus() const { return group.gpus() + (decode ? decode->gpus() : 0); }
};

/// The system of a deployment. `most_context`: the longest prompt with its output. Throws
/// std::invalid_argument as StepCosts does, and if the weights leave no room for a cache.
System system_of(const Deployment& deployment, std::int64_t most_context);

/// Longest prompt with its output.
std::int64_t longest_of(const std::vector<Request>& requests);

/// One point of a sweep.
struct Point {
  std::string label;    ///< what distinguishes it
  std::string problem;  ///< why it could not be run; empty if it was
  Summary summary;
  bool on_frontier = false;
};

/// A configuration and its workload, created when its turn comes.
struct Trial {
  std::string label;
  std::function<Summary()> run;
};

/// Runs trials on all processors; points are in the order of the trials, whatever the order of
/// execution. Points that no other point beats both in tokens/s per user and per GPU are marked.
std::vector<Point> sweep(const std::vector<Trial>& trials, unsigned threads = 0);

/// The point that meets the service level for at least `part` of its requests at the lowest cost
/// per token or, if prices are not known, with the most tokens/s per GPU; null if none does.
const Point* best_point(const std::vector<Point>& points, double part);

/// The chart of a sweep: tokens/s per user against tokens/s per GPU, with the frontier marked.
std::string frontier_terminal(const std::vector<Point>& points, int columns = 80, int rows = 21);
/// A gnuplot script that draws it into `file`, an SVG, with the frontier's points named.
std::string frontier_gnuplot(const std::vector<Point>& points, const std::string& title,
                             const std::string& file);
/// A page (see chart_page()): the chart, which describes a point under the pointer, above a table
/// of all points.
std::string frontier_html(const std::vector<Point>& points, const std::string& title,
                          const std::string& chart_js, const std::string& licence);

/// One line per point.
std::string sweep_csv(const std::vector<Point>& points);

}  // namespace roofline::serve
