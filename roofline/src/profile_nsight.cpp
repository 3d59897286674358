// SPDX-License-Identifier: MIT
// Nsight Compute's CSV, raw and details pages.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "profile_formats.hpp"

namespace roofline {
namespace {

/// A cell as it was printed.
struct Cell {
  std::string value;
  std::string unit;
};
using Metrics = std::map<std::string, Cell>;

constexpr std::array<std::pair<std::string_view, double>, 5> kScales = {
    {{"", 1}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
constexpr std::array<std::pair<std::string_view, double>, 8> kTimeUnits = {{{"nsecond", 1e-9},
                                                                            {"usecond", 1e-6},
                                                                            {"msecond", 1e-3},
                                                                            {"second", 1},
                                                                            {"ns", 1e-9},
                                                                            {"us", 1e-6},
                                                                            {"ms", 1e-3},
                                                                            {"s", 1}}};

std::optional<double> unit_scale(const std::string& unit) {
  for (const auto& [name, scale] : kTimeUnits) {
    if (unit == name) return scale;
  }
  for (const std::string_view base : {"byte", "inst", ""}) {
    for (const auto& [prefix, scale] : kScales) {
      if (unit == std::string(prefix) + std::string(base)) return scale;
    }
  }
  return std::nullopt;
}

double value_of(const std::string& name, const Cell& cell) {
  const auto number = parse_counter(cell.value);
  if (!number) {
    throw CountingProblem{name + " has no usable value ('" + cell.value + "')"};
  }
  const auto scale = unit_scale(cell.unit);
  if (!scale) throw CountingProblem{name + " has the unknown unit '" + cell.unit + "'"};
  if (*number < 0) throw CountingProblem{name + " is negative"};
  return *number * *scale;
}

std::optional<double> optional_metric(const Metrics& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  if (found == metrics.end()) return std::nullopt;
  return value_of(name, found->second);
}

double required(const Metrics& metrics, const std::string& name) {
  if (const auto value = optional_metric(metrics, name)) return *value;
  throw CountingProblem{"the metric " + name + " was not collected"};
}

// Thread-level instruction counts are collected per SM or per SM partition; both sum to the same.
std::optional<double> instructions(const Metrics& metrics, const std::string& operation) {
  const std::string tail = "__sass_thread_inst_executed_op_" + operation + "_pred_on.sum";
  if (const auto value = optional_metric(metrics, "sm" + tail)) return value;
  return optional_metric(metrics, "smsp" + tail);
}

/// The counters of one precision: additions, multiplications, fused; all of them or none.
struct Family {
  const char* kind;
  std::array<const char*, 3> operations;
  std::array<double, 3> flops;
};
constexpr std::array<Family, 3> kFamilies = {{
    {"fp64.vector", {"dadd", "dmul", "dfma"}, {1, 1, 2}},
    {"fp32.vector", {"fadd", "fmul", "ffma"}, {1, 1, 2}},
    {"fp16.vector", {"hadd", "hmul", "hfma"}, {2, 2, 4}},
}};
constexpr Family kPackedFp32 = {"fp32.vector", {"fadd2", "fmul2", "ffma2"}, {2, 2, 4}};

bool add_family(const Metrics& metrics, const Family& family, KernelCounts& counts) {
  double flops = 0;
  std::string missing;
  std::size_t present = 0;
  for (std::size_t i = 0; i < family.operations.size(); ++i) {
    if (const auto count = instructions(metrics, family.operations[i])) {
      flops += *count * family.flops[i];
      ++present;
    } else {
      missing = family.operations[i];
    }
  }
  if (present == 0) return false;
  if (present < family.operations.size()) {
    throw CountingProblem{"of the " + std::string(family.kind) + " instructions, " + missing +
                          " was not collected"};
  }
  counts.operations[family.kind] += flops;
  return true;
}

// "sm__ops_path_tensor_src_bf16_dst_fp32.sum": the parents; breakdowns by instruction (op_hgmma)
// or sparsity are parts of them.
// Returns the sources that were collected: "bf16, fp16".
std::string add_tensor(const Metrics& metrics, KernelCounts& counts) {
  constexpr std::string_view kPrefix = "sm__ops_path_tensor_src_";
  std::set<std::string> sources;
  for (const auto& [name, cell] : metrics) {
    if (!name.starts_with(kPrefix) || !name.ends_with(".sum")) continue;
    if (name.find("_sparsity_") != std::string::npos) continue;
    const std::string rest = name.substr(kPrefix.size());
    const std::string source = rest.substr(0, rest.find_first_of("_."));
    counts.operations[source + ".matrix"] += value_of(name, cell);
    sources.insert(source);
  }
  std::string list;
  for (const std::string& source : sources) list += (list.empty() ? "" : ", ") + source;
  return list;
}

double dram_bytes(const Metrics& metrics) {
  if (const auto both = optional_metric(metrics, "dram__bytes.sum")) return *both;
  if (!metrics.count("dram__bytes_read.sum")) required(metrics, "dram__bytes.sum");
  return required(metrics, "dram__bytes_read.sum") + required(metrics, "dram__bytes_write.sum");
}

KernelCounts counts_from(const Metrics& metrics, std::vector<std::string>& notes) {
  KernelCounts counts;
  std::string absent;
  bool any = false;
  for (const Family& family : kFamilies) {
    const bool found = add_family(metrics, family, counts);
    any = any || found;
    if (!found) absent += (absent.empty() ? "" : ", ") + std::string(family.kind);
  }
  add_family(metrics, kPackedFp32, counts);
  const std::string sources = add_tensor(metrics, counts);
  if (sources.empty()) {
    absent += (absent.empty() ? "" : ", ") + std::string("tensor cores");
  } else {
    any = true;
    notes.push_back("of the tensor cores' work, that on these operands was collected: " + sources);
  }
  if (!any) throw CountingProblem{"no instruction counters were collected"};
  if (!absent.empty()) notes.push_back("not collected, so not counted: " + absent);
  if (counts.operations.count("fp16.vector") && counts.operations["fp16.vector"] > 0) {
    notes.push_back("FP16 is counted as packed; scalar half code is over-counted by two");
  }
  counts.bytes["DRAM"] = dram_bytes(metrics);
  if (const auto l2 = optional_metric(metrics, "lts__t_bytes.sum")) counts.bytes["L2"] = *l2;
  if (const auto l1 = optional_metric(metrics, "l1tex__t_bytes.sum")) counts.bytes["L1"] = *l1;
  counts.seconds = required(metrics, "gpu__time_duration.sum");
  if (counts.seconds <= 0) throw CountingProblem{"gpu__time_duration.sum is zero"};
  return counts;
}

void count(KernelProfile& kernel, const Metrics& metrics) {
  try {
    kernel.counts = counts_from(metrics, kernel.notes);
  } catch (const CountingProblem& problem) {
    kernel.notes.clear();
    kernel.problem = problem.reason;
  }
}

std::size_t column_of(const CsvRow& header, std::string_view name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

std::string field(const CsvRow& row, std::size_t column) {
  return column < row.size() ? row[column] : std::string();
}

KernelProfile identity(const CsvRow& header, const CsvRow& row) {
  KernelProfile kernel;
  kernel.id = field(row, column_of(header, "ID"));
  kernel.name = field(row, column_of(header, "Kernel Name"));
  kernel.device = field(row, column_of(header, "Device"));
  const std::string capability = field(row, column_of(header, "CC"));
  if (!capability.empty()) kernel.device += " (compute capability " + capability + ")";
  return kernel;
}

const char* kCutOff = "the file ends in the middle of this launch";

Profile read_raw(const CsvTable& table, std::size_t header_row) {
  const CsvRow& header = table.rows[header_row];
  Profile profile{"ncu raw", {}};
  const CsvRow units =
      header_row + 1 < table.rows.size() ? table.rows[header_row + 1] : CsvRow(header.size());
  for (std::size_t r = header_row + 2; r < table.rows.size(); ++r) {
    const CsvRow& row = table.rows[r];
    KernelProfile kernel = identity(header, row);
    if (row.size() != header.size() || (table.cut_off && r + 1 == table.rows.size())) {
      kernel.problem = kCutOff;
    } else {
      Metrics metrics;
      for (std::size_t c = 0; c < header.size(); ++c) {
        if (!row[c].empty()) metrics[header[c]] = {row[c], field(units, c)};
      }
      count(kernel, metrics);
    }
    profile.kernels.push_back(std::move(kernel));
  }
  return profile;
}

Profile read_details(const CsvTable& table, std::size_t header_row) {
  const CsvRow& header = table.rows[header_row];
  const std::size_t name = column_of(header, "Metric Name");
  const std::size_t unit = column_of(header, "Metric Unit");
  const std::size_t value = column_of(header, "Metric Value");
  Profile profile{"ncu details", {}};
  std::vector<Metrics> metrics;
  for (std::size_t r = header_row + 1; r < table.rows.size(); ++r) {
    const CsvRow& row = table.rows[r];
    const KernelProfile kernel = identity(header, row);
    if (profile.kernels.empty() || profile.kernels.back().id != kernel.id) {
      profile.kernels.push_back(kernel);
      metrics.emplace_back();
    }
    // Where the sections have rules, rows of metrics end before the rules' columns.
    if (row.size() <= value) {
      profile.kernels.back().problem = kCutOff;
    } else if (!row[value].empty()) {
      metrics.back()[row[name]] = {row[value], row[unit]};
    }
  }
  if (table.cut_off && !profile.kernels.empty()) profile.kernels.back().problem = kCutOff;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (profile.kernels[i].problem.empty()) count(profile.kernels[i], metrics[i]);
  }
  return profile;
}

}  // namespace

std::size_t nsight_header(const CsvTable& table) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const CsvRow& row = table.rows[r];
    if (row[0] == "ID" && column_of(row, "Kernel Name") < row.size()) return r;
  }
  return table.rows.size();
}

Profile read_nsight(const CsvTable& table, std::size_t header) {
  const CsvRow& row = table.rows[header];
  const bool details = column_of(row, "Metric Name") < row.size() &&
                       column_of(row, "Metric Unit") < row.size() &&
                       column_of(row, "Metric Value") < row.size();
  return details ? read_details(table, header) : read_raw(table, header);
}

}  // namespace roofline
