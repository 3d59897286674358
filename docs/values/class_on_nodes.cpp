// SPDX-License-Identifier: MIT
// The instructor guide's tables of a class on nodes of Slurm: measured on as many as one machine
// could be (data/measured/grader_nodes.csv), and simulated on 1 to 64, from the measured times of
// submissions (data/measured/grader_submissions.csv), dealt as `grader batch --slurm` deals them.
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

std::string measured_table(const Sources& sources) {
  const base::CsvFile csv(sources.measured("grader_nodes.csv"));
  std::vector<docs::Row> rows;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const double seconds = std::stod(csv.field(i, "seconds"));
    rows.push_back({csv.field(i, "nodes"), csv.field(i, "seconds"),
                    docs::fixed(60 * std::stod(csv.field(i, "students")) / seconds, 0),
                    docs::fixed(std::stod(csv.field(0, "seconds")) / seconds, 2),
                    csv.field(i, "load")});
  }
  return docs::markdown_table(
      {"nodes", "seconds", "submissions a minute", "times as fast", "load before"}, rows);
}

std::string measured_on(const Sources& sources, const std::string& column) {
  return base::CsvFile(sources.measured("grader_nodes.csv")).field(0, column);
}

DOC_VALUE("nodes.measured", measured_table)
DOC_VALUE("nodes.measured.date", [](const Sources& s) { return measured_on(s, "date"); })
DOC_VALUE("nodes.measured.device", [](const Sources& s) { return measured_on(s, "device"); })
DOC_VALUE("nodes.measured.cores", [](const Sources& s) { return measured_on(s, "cores"); })
DOC_VALUE("nodes.measured.students", [](const Sources& s) { return measured_on(s, "students"); })
DOC_VALUE("nodes.measured.tasks", [](const Sources& s) { return measured_on(s, "tasks"); })
DOC_VALUE("nodes.table", table)
DOC_VALUE("nodes.students", [](const Sources&) { return std::to_string(kStudents); })
DOC_VALUE("nodes.longest", [](const Sources& s) { return docs::fixed(longest(s), 0); })
DOC_VALUE("nodes.mean",
          [](const Sources& s) { return docs::fixed(work(s) / static_cast<double>(kStudents), 1); })

}  // namespace
