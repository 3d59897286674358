// SPDX-License-Identifier: MIT
// Nsight Compute's CSV, raw and details pages.
#include <algorithm>
#include <string_view>

#include "base/csv.hpp"
#include "nsight_metrics.hpp"
#include "profile_formats.hpp"

namespace roofline {
namespace {

/// All values that can be read; others may be malformed if they are not needed.
std::map<std::string, double> readable(const NsightMetrics& metrics) {
  std::map<std::string, double> values;
  for (const auto& [name, cell] : metrics) {
    const auto number = parse_counter(cell.value);
    const auto scale = nsight_unit_scale(cell.unit);
    if (number && scale) values[name] = *number * *scale;
  }
  return values;
}

/// A launch with its metrics, and the compute capability of its GPU ("9.0").
struct Launch {
  KernelProfile kernel;
  std::string capability;
  NsightMetrics metrics;
};

void count(Launch& launch) {
  KernelProfile& kernel = launch.kernel;
  kernel.counters = readable(launch.metrics);
  if (!kernel.problem.empty()) return;
  try {
    kernel.counts = nsight_counts(launch.metrics, launch.capability, kernel.notes);
  } catch (const CountingProblem& problem) {
    kernel.notes.clear();
    kernel.problem = problem.reason;
  }
}

std::string field(const base::CsvRow& row, std::size_t column) {
  return column < row.size() ? row[column] : std::string();
}

Launch identity(const base::CsvRow& header, const base::CsvRow& row) {
  Launch launch;
  KernelProfile& kernel = launch.kernel;
  kernel.id = field(row, base::column_of(header, "ID"));
  kernel.name = field(row, base::column_of(header, "Kernel Name"));
  kernel.device = field(row, base::column_of(header, "Device"));
  launch.capability = field(row, base::column_of(header, "CC"));
  if (!launch.capability.empty()) {
    kernel.device += " (compute capability " + launch.capability + ")";
  }
  return launch;
}

const char* kCutOff = "the file ends in the middle of this launch";

std::vector<Launch> read_raw(const base::CsvTable& table, std::size_t header_row) {
  const base::CsvRow& header = table.rows[header_row];
  std::vector<Launch> launches;
  const base::CsvRow units =
      header_row + 1 < table.rows.size() ? table.rows[header_row + 1] : base::CsvRow(header.size());
  for (std::size_t r = header_row + 2; r < table.rows.size(); ++r) {
    const base::CsvRow& row = table.rows[r];
    Launch launch = identity(header, row);
    if (row.size() != header.size() || (table.cut_off && r + 1 == table.rows.size())) {
      launch.kernel.problem = kCutOff;
    } else {
      for (std::size_t c = 0; c < header.size(); ++c) {
        if (!row[c].empty()) launch.metrics[header[c]] = {row[c], field(units, c)};
      }
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

std::vector<Launch> read_details(const base::CsvTable& table, std::size_t header_row) {
  const base::CsvRow& header = table.rows[header_row];
  const std::size_t name = base::column_of(header, "Metric Name");
  const std::size_t unit = base::column_of(header, "Metric Unit");
  const std::size_t value = base::column_of(header, "Metric Value");
  std::vector<Launch> launches;
  for (std::size_t r = header_row + 1; r < table.rows.size(); ++r) {
    const base::CsvRow& row = table.rows[r];
    Launch launch = identity(header, row);
    if (launches.empty() || launches.back().kernel.id != launch.kernel.id) {
      launches.push_back(std::move(launch));
    }
    // If the sections have rules, rows of metrics end before the rules' columns.
    if (row.size() <= value) {
      launches.back().kernel.problem = kCutOff;
    } else if (!row[value].empty()) {
      launches.back().metrics[row[name]] = {row[value], row[unit]};
    }
  }
  if (table.cut_off && !launches.empty()) launches.back().kernel.problem = kCutOff;
  return launches;
}

// The details page of a set names its values "Duration" and "Memory Throughput", and has no
// counters.
bool has_counters(const Launch& launch) {
  return std::any_of(launch.metrics.begin(), launch.metrics.end(), [](const auto& metric) {
    return metric.first.find("__") != std::string::npos;
  });
}

// Another run could count something that is unknown: if a kind of arithmetic is missing, memory may
// or may not be the bound.
bool needs_rerun(const KernelProfile& kernel) {
  if (!kernel.counts || !kernel.counts->flops_known()) return true;
  return std::any_of(kernel.counts->uncounted.begin(), kernel.counts->uncounted.end(),
                     [](const auto& kind) { return !kind.second.empty(); });
}

}  // namespace

std::size_t nsight_header(const base::CsvTable& table) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const base::CsvRow& row = table.rows[r];
    if (row[0] == "ID" && base::column_of(row, "Kernel Name") < row.size()) return r;
  }
  return table.rows.size();
}

Profile read_nsight(const base::CsvTable& table, std::size_t header, const std::string& program) {
  const base::CsvRow& row = table.rows[header];
  const bool details = base::column_of(row, "Metric Name") < row.size() &&
                       base::column_of(row, "Metric Unit") < row.size() &&
                       base::column_of(row, "Metric Value") < row.size();
  Profile profile{details ? "ncu details" : "ncu raw", {}, {}};
  for (Launch& launch : details ? read_details(table, header) : read_raw(table, header)) {
    if (details && launch.kernel.problem.empty() && !has_counters(launch)) {
      launch.kernel.problem = "the details page of ncu's sets contains no counters";
    }
    count(launch);
    if (needs_rerun(launch.kernel)) profile.rerun = nsight_command(program, launch.capability);
    profile.kernels.push_back(std::move(launch.kernel));
  }
  return profile;
}

bool is_nsight_text(std::string_view content) {
  return content.find("\n    Section: ") != std::string_view::npos &&
         content.find("Metric Name ") != std::string_view::npos;
}

std::string nsight_program(std::string_view content) {
  constexpr std::string_view kConnected = "==PROF== Connected to process ";
  const auto line = content.find(kConnected);
  if (line == std::string_view::npos) return {};
  const auto end = content.find_first_of("\r\n", line);
  const std::string_view text = content.substr(line, end - line);
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return std::string(text.substr(open + 1, close - open - 1));
}

std::string nsight_text_capability(std::string_view content) {
  constexpr std::string_view kLabel = ", CC ";
  const auto label = content.find(kLabel);
  if (label == std::string_view::npos) return {};
  const auto begin = label + kLabel.size();
  return std::string(
      content.substr(begin, content.find_first_not_of("0123456789.", begin) - begin));
}

std::string counter_subject(const std::string& counter) {
  std::string subject = counter;
  for (const std::string_view front :
       {"smsp__sass_thread_inst_executed_op_", "sm__ops_path_tensor_src_", "SQ_INSTS_VALU_"}) {
    if (subject.starts_with(front)) subject.erase(0, front.size());
  }
  for (const std::string_view back : {".sum", "_pred_on"}) {
    if (subject.ends_with(back)) subject.erase(subject.size() - back.size());
  }
  return subject;
}

}  // namespace roofline
