// SPDX-License-Identifier: MIT
// The instructor guide's tables of a class on Slurm nodes: measured on as many nodes as one machine
// can simulate (data/measured/grader_nodes.csv), and simulated on 1 to 64, from the measured times
// of submissions (data/measured/grader_submissions.csv), distributed as `grader batch --slurm` does
// it.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "grader/batch/cluster_time.hpp"
#include "value.hpp"

namespace {

using docs::Sources;

constexpr std::size_t kStudents = 500;
constexpr std::size_t kCores = 2;         // of the measured machine
constexpr std::size_t kTasksOfANode = 4;  // so that a node with short tasks can take another
constexpr std::size_t kMostNodes = 64;
constexpr double kPassSeconds = 3;  // Slurm's batch_sched_delay where nobody sets it

/// The measured class, repeated until it has the requested size.
std::vector<double> submissions(const Sources& sources) {
  const base::CsvFile csv(sources.measured("grader_submissions.csv"));
  std::vector<double> seconds;
  for (std::size_t i = 0; i < kStudents; ++i) {
    seconds.push_back(std::stod(csv.field(i % csv.size(), "seconds")));
  }
  return seconds;
}

double longest(const Sources& sources) {
  const std::vector<double> seconds = submissions(sources);
  return *std::max_element(seconds.begin(), seconds.end());
}

double work(const Sources& sources) {
  const std::vector<double> seconds = submissions(sources);
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

std::string table(const Sources& sources) {
  const std::vector<double> seconds = submissions(sources);
  std::vector<docs::Row> rows;
  for (std::size_t nodes = 1; nodes <= kMostNodes; nodes *= 2) {
    const grader::Cluster cluster{nodes, kCores, kTasksOfANode * nodes, kPassSeconds};
    const double end = seconds_on(cluster, seconds);
    const double share = work(sources) / static_cast<double>(nodes * kCores);
    rows.push_back({std::to_string(nodes), docs::fixed(end / 60, 1),
                    docs::fixed(60 * static_cast<double>(kStudents) / end, 0),
                    docs::fixed(std::max(share, longest(sources)) / 60, 1)});
  }
  return docs::markdown_table(
      {"nodes", "minutes", "submissions a minute", "minutes at the very least"}, rows);
}

/// The median over the runs on so many nodes of one processor each.
double median(const Sources& sources, const std::string& nodes, const std::string& column) {
  const base::CsvFile csv(sources.measured("grader_nodes.csv"));
  std::vector<double> values;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (csv.field(i, "nodes") == nodes) values.push_back(std::stod(csv.field(i, column)));
  }
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

/// What the run on one node lets expect of several.
double expected_seconds(const Sources& sources, std::size_t nodes) {
  const base::CsvFile csv(sources.measured("grader_nodes.csv"));
  const std::size_t tasks = std::stoul(csv.field(0, "tasks"));
  const std::vector<double> slices(
      tasks, median(sources, "1", "task_seconds") / static_cast<double>(tasks));
  const grader::Cluster cluster{nodes, 1, tasks, kPassSeconds};
  return median(sources, "1", "first_start") + seconds_on(cluster, slices) +
         median(sources, "1", "merge_start") + median(sources, "1", "merge_seconds");
}

std::string measured_table(const Sources& sources) {
  const base::CsvFile csv(sources.measured("grader_nodes.csv"));
  const double students = std::stod(csv.field(0, "students"));
  std::vector<docs::Row> rows;
  for (const std::size_t nodes : {1, 2}) {
    const std::string name = std::to_string(nodes);
    const double seconds = median(sources, name, "seconds");
    rows.push_back({name, docs::fixed(seconds, 0), docs::fixed(60 * students / seconds, 0),
                    docs::fixed(median(sources, "1", "seconds") / seconds, 2),
                    docs::fixed(median(sources, name, "processor_seconds"), 0),
                    docs::fixed(expected_seconds(sources, nodes), 0)});
  }
  return docs::markdown_table({"nodes", "seconds", "submissions a minute", "times as fast",
                               "processor seconds", "simulated seconds"},
                              rows);
}

/// One line of what 24 hand-ins in six tasks took before tasks shared anything, and since.
std::string of_small_class(const Sources& sources, const std::string& headers,
                           const std::string& nodes, const std::string& column) {
  const base::CsvFile csv(sources.measured("grader_nodes_headers.csv"));
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (csv.field(i, "headers") == headers && csv.field(i, "nodes") == nodes) {
      return docs::fixed(std::stod(csv.field(i, column)), 0);
    }
  }
  throw std::runtime_error("grader_nodes_headers.csv has no line for " + headers);
}

std::string measured_on(const Sources& sources, const std::string& column) {
  return base::CsvFile(sources.measured("grader_nodes.csv")).field(0, column);
}

DOC_VALUE("nodes.measured", measured_table)
DOC_FORMULA("nodes.measured.date", measured_on(s, "date"))
DOC_FORMULA("nodes.measured.device", measured_on(s, "device"))
DOC_FORMULA("nodes.measured.cores", measured_on(s, "cores"))
DOC_FORMULA("nodes.measured.students", measured_on(s, "students"))
DOC_FORMULA("nodes.measured.tasks", measured_on(s, "tasks"))
DOC_FORMULA("nodes.each.processor", of_small_class(s, "each", "1", "processor_seconds"))
DOC_FORMULA("nodes.shared.processor", of_small_class(s, "shared", "1", "processor_seconds"))
DOC_FORMULA("nodes.each.one", of_small_class(s, "each", "1", "seconds"))
DOC_FORMULA("nodes.each.two", of_small_class(s, "each", "2", "seconds"))
DOC_FORMULA("nodes.shared.one", of_small_class(s, "shared", "1", "seconds"))
DOC_FORMULA("nodes.shared.two", of_small_class(s, "shared", "2", "seconds"))
DOC_VALUE("nodes.table", table)
DOC_FORMULA("nodes.students", std::to_string(kStudents))
DOC_FORMULA("nodes.longest", docs::fixed(longest(s), 0))
DOC_FORMULA("nodes.mean", docs::fixed(work(s) / static_cast<double>(kStudents), 1))

}  // namespace
