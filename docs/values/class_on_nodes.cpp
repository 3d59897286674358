// SPDX-License-Identifier: MIT
// The instructor guide's table of a class on 1 to 64 nodes: the measured times of submissions
// (data/measured/grader_submissions.csv), dealt as `grader batch --slurm` deals them.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "grader/batch/cluster_time.hpp"
#include "value.hpp"

namespace {

using docs::Sources;

constexpr std::size_t kStudents = 500;
constexpr std::size_t kCores = 2;         // of the machine that was measured
constexpr std::size_t kTasksOfANode = 4;  // so that a node that was lucky takes another
constexpr std::size_t kMostNodes = 64;

/// The measured class, over again until it is as large as the one asked about.
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
    const grader::Cluster cluster{nodes, kCores, kTasksOfANode * nodes};
    const double end = seconds_on(cluster, seconds);
    const double share = work(sources) / static_cast<double>(nodes * kCores);
    rows.push_back({std::to_string(nodes), docs::fixed(end / 60, 1),
                    docs::fixed(60 * static_cast<double>(kStudents) / end, 0),
                    docs::fixed(std::max(share, longest(sources)) / 60, 1)});
  }
  return docs::markdown_table(
      {"nodes", "minutes", "submissions a minute", "minutes at the very least"}, rows);
}

DOC_VALUE("nodes.table", table)
DOC_VALUE("nodes.students", [](const Sources&) { return std::to_string(kStudents); })
DOC_VALUE("nodes.longest", [](const Sources& s) { return docs::fixed(longest(s), 0); })
DOC_VALUE("nodes.mean",
          [](const Sources& s) { return docs::fixed(work(s) / static_cast<double>(kStudents), 1); })

}  // namespace
