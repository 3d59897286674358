// SPDX-License-Identifier: MIT
// Computes FLOPs and bytes from Nsight Compute's metrics.
#include "nsight_metrics.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/text.hpp"
#include "profile_formats.hpp"

namespace roofline {
namespace {

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
constexpr std::array<std::string_view, 7> kBases = {"byte",  "inst", "sector", "request",
                                                    "cycle", "hz",   ""};
constexpr const char* kTime = "gpu__time_duration.sum";

std::optional<double> simple_scale(std::string_view unit) {
  for (const auto& [name, scale] : kTimeUnits) {
    if (unit == name) return scale;
  }
  for (const auto& [prefix, scale] : kScales) {
    if (!unit.starts_with(prefix)) continue;
    const std::string_view base = unit.substr(prefix.size());
    if (std::find(kBases.begin(), kBases.end(), base) != kBases.end()) return scale;
  }
  return std::nullopt;
}

double value_of(const std::string& name, const NsightCell& cell) {
  const auto number = parse_counter(cell.value);
  if (!number) {
    throw CountingProblem{name + " has no usable value ('" + cell.value + "')"};
  }
  const auto scale = nsight_unit_scale(cell.unit);
  if (!scale) throw CountingProblem{name + " has the unknown unit '" + cell.unit + "'"};
  if (*number < 0) throw CountingProblem{name + " is negative"};
  return *number * *scale;
}

// ncu writes a word for a metric that it could not collect; that is not a value, but not an error
// either.
bool not_collected(const NsightCell& cell) {
  return cell.value == "n/a" || cell.value == "no data";
}

std::optional<double> optional_metric(const NsightMetrics& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  if (found == metrics.end() || not_collected(found->second)) return std::nullopt;
  return value_of(name, found->second);
}

double required(const NsightMetrics& metrics, const std::string& name) {
  if (const auto value = optional_metric(metrics, name)) return *value;
  const auto found = metrics.find(name);
  throw CountingProblem{"the metric " + name +
                        (found == metrics.end()
                             ? " was not collected"
                             : " has no usable value ('" + found->second.value + "')")};
}

// A total over the launch: the metric itself, or its rate times the time.
std::optional<double> total(const NsightMetrics& metrics, const std::string& name) {
  if (const auto value = optional_metric(metrics, name)) return value;
  const auto rate = optional_metric(metrics, name + ".per_second");
  if (!rate) return std::nullopt;
  return *rate * required(metrics, kTime);
}

// Cycles of the launch. Multiprocessors and their four partitions share a clock.
std::optional<double> elapsed_cycles(const NsightMetrics& metrics) {
  for (const char* name : {"smsp__cycles_elapsed.avg", "sm__cycles_elapsed.avg",
                           "smsp__cycles_elapsed.max", "sm__cycles_elapsed.max"}) {
    if (const auto cycles = optional_metric(metrics, name)) return cycles;
  }
  for (const char* name :
       {"smsp__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second"}) {
    if (const auto clock = optional_metric(metrics, name)) return *clock * required(metrics, kTime);
  }
  return std::nullopt;
}

/// Reads counts, and remembers whether any was derived from a rate.
class Counter {
 public:
  explicit Counter(const NsightMetrics& metrics)
      : metrics_(metrics), cycles_(elapsed_cycles(metrics)) {}

  // Thread-level instruction counts are collected per SM or per SM partition; both have the same
  // sum.
  std::optional<double> instructions(const std::string& operation) {
    const std::string name = "__sass_thread_inst_executed_op_" + operation + "_pred_on";
    for (const char* unit : {"sm", "smsp"}) {
      if (const auto count = optional_metric(metrics_, unit + name + ".sum")) return count;
    }
    for (const char* unit : {"smsp", "sm"}) {
      if (const auto count = from_rate(unit + name + ".sum.per_cycle_elapsed", 1)) return count;
    }
    // The roofline sections multiply by the FLOPs per instruction. (A name like this with sm
    // instead of smsp is a peak.)
    if (const auto count = from_rate("derived__smsp" + name + "_x2", 2)) return count;
    return from_rate("derived__smsp" + name + "_x4", 4);
  }

  std::optional<double> sum(const std::string& name) {
    if (const auto count = optional_metric(metrics_, name + ".sum")) return count;
    return from_rate(name + ".sum.per_cycle_elapsed", 1);
  }

  bool used_rates() const { return used_rates_; }

 private:
  std::optional<double> from_rate(const std::string& name, double weight) {
    if (!cycles_) return std::nullopt;
    const auto rate = optional_metric(metrics_, name);
    if (!rate) return std::nullopt;
    used_rates_ = true;
    return *rate * *cycles_ / weight;
  }

  const NsightMetrics& metrics_;
  std::optional<double> cycles_;
  bool used_rates_ = false;
};

/// The counters of one precision: additions, multiplications, fused.
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

std::string instruction_metric(const std::string& operation) {
  return "smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum";
}

// Packed FP32 exists only on some chips: if it is entirely absent, it is not missing.
void add_family(Counter& counter, const Family& family, bool may_be_absent, KernelCounts& counts) {
  double flops = 0;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < family.operations.size(); ++i) {
    if (const auto count = counter.instructions(family.operations[i])) {
      flops += *count * family.flops[i];
    } else {
      missing.push_back(instruction_metric(family.operations[i]));
    }
  }
  const bool absent = missing.size() == family.operations.size();
  if (!absent) counts.operations[family.kind] += flops;
  if (missing.empty() || (absent && may_be_absent)) return;
  auto& list = counts.uncounted[family.kind];
  list.insert(list.end(), missing.begin(), missing.end());
}

constexpr std::string_view kTensor = "sm__ops_path_tensor_";

// Operand formats of each architecture's tensor cores, as named in the metrics that count all of
// their work. Integers are left out, because they are not FLOPs.
std::vector<std::string> tensor_paths(const std::string& capability) {
  if (capability == "7.0") return {"src_fp16_dst_fp16", "src_fp16_dst_fp32"};
  if (capability == "7.5") return {"src_fp16_bf16_tf32_dst_fp32", "src_fp16_dst_fp16"};
  if (capability == "8.0" || capability == "8.9") {
    std::vector<std::string> paths = {"src_bf16_dst_fp32", "src_fp16_dst_fp16", "src_fp16_dst_fp32",
                                      "src_fp64", "src_tf32_dst_fp32"};
    if (capability == "8.9") paths.push_back("src_fp8");
    return paths;
  }
  if (capability == "9.0") {
    return {"src_fp16", "src_bf16_dst_fp32", "src_tf32_dst_fp32", "src_fp64", "src_fp8"};
  }
  return {};
}

// "sm__ops_path_tensor_src_bf16_dst_fp32.sum" counts everything on these operands. Breakdowns by
// instruction (op_hgmma) are parts of it, and so are those by sparsity, which are used if the whole
// was not collected.
struct TensorPaths {
  std::set<std::string> whole;
  std::set<std::string> sparse_parts;  ///< including their "_sparsity_on" or "_sparsity_off"
};

TensorPaths collected_paths(const NsightMetrics& metrics) {
  TensorPaths paths;
  for (const auto& [name, cell] : metrics) {
    const bool by_operands = name.starts_with(kTensor) && name.find("src_") == kTensor.size();
    if (!by_operands || not_collected(cell)) continue;
    if (!name.ends_with(".sum") && !name.ends_with(".sum.per_cycle_elapsed")) continue;
    const std::string path = name.substr(kTensor.size(), name.find('.') - kTensor.size());
    (path.find("_sparsity_") == std::string::npos ? paths.whole : paths.sparse_parts).insert(path);
  }
  return paths;
}

void add_path(Counter& counter, const std::string& path, KernelCounts& counts) {
  const std::string source = path.substr(4, path.find('_', 4) - 4);
  if (const auto operations = counter.sum(std::string(kTensor) + path)) {
    counts.operations[source + ".matrix"] += *operations;
  }
}

std::set<std::string> add_tensor(Counter& counter, const NsightMetrics& metrics,
                                 const std::string& capability, KernelCounts& counts) {
  TensorPaths paths = collected_paths(metrics);
  for (const std::string& path : paths.whole) add_path(counter, path, counts);
  for (const std::string& part : paths.sparse_parts) {
    const std::string whole = part.substr(0, part.find("_sparsity_"));
    if (paths.whole.count(whole)) continue;
    add_path(counter, part, counts);
    const std::string other = part.ends_with("_on") ? "_sparsity_off" : "_sparsity_on";
    if (paths.sparse_parts.count(whole + other)) continue;
    counts.uncounted["tensor cores"].push_back(std::string(kTensor) + whole + other + ".sum");
  }
  const auto is_collected = [&](const std::string& path) {
    return std::any_of(
               paths.sparse_parts.begin(), paths.sparse_parts.end(),
               [&](const std::string& part) { return part.starts_with(path + "_sparsity_"); }) ||
           paths.whole.count(path);
  };
  for (const std::string& path : tensor_paths(capability)) {
    if (is_collected(path)) continue;
    counts.uncounted["tensor cores"].push_back(std::string(kTensor) + path + ".sum");
  }
  paths.whole.merge(paths.sparse_parts);
  if (paths.whole.empty()) counts.uncounted["tensor cores"];
  return paths.whole;
}

std::string sources_of(const std::set<std::string>& paths) {
  std::set<std::string> sources;
  for (const std::string& path : paths) sources.insert(path.substr(4, path.find('_', 4) - 4));
  return base::joined(sources);
}

double dram_bytes(const NsightMetrics& metrics) {
  if (const auto both = total(metrics, "dram__bytes.sum")) return *both;
  const auto read = total(metrics, "dram__bytes_read.sum");
  if (!read) return required(metrics, "dram__bytes.sum");
  if (const auto written = total(metrics, "dram__bytes_write.sum")) return *read + *written;
  return required(metrics, "dram__bytes_write.sum");
}

}  // namespace

std::optional<double> nsight_unit_scale(const std::string& unit) {
  const auto slash = unit.find('/');
  if (slash == std::string::npos) return simple_scale(unit);
  const auto above = simple_scale(unit.substr(0, slash));
  const auto below = simple_scale(unit.substr(slash + 1));
  if (!above || !below || unit.size() == slash + 1) return std::nullopt;
  return *above / *below;
}

KernelCounts nsight_counts(const NsightMetrics& metrics, const std::string& capability,
                           std::vector<std::string>& notes) {
  KernelCounts counts;
  Counter counter(metrics);
  for (const Family& family : kFamilies) add_family(counter, family, false, counts);
  add_family(counter, kPackedFp32, true, counts);
  const auto paths = add_tensor(counter, metrics, capability, counts);
  if (!paths.empty()) {
    notes.push_back("tensor core work was collected only for these operands: " + sources_of(paths));
  }
  if (counter.used_rates()) {
    notes.push_back(
        "counted from rates times cycles; ncu prints a rate with two digits after the point");
  }
  if (counts.operations.count("fp16.vector") && counts.operations["fp16.vector"] > 0) {
    notes.push_back("FP16 is counted as packed; scalar half code is over-counted by two");
  }
  counts.bytes["DRAM"] = dram_bytes(metrics);
  if (const auto l2 = total(metrics, "lts__t_bytes.sum")) counts.bytes["L2"] = *l2;
  if (const auto l1 = total(metrics, "l1tex__t_bytes.sum")) counts.bytes["L1"] = *l1;
  counts.seconds = required(metrics, kTime);
  if (counts.seconds <= 0) throw CountingProblem{"gpu__time_duration.sum is zero"};
  return counts;
}

std::string nsight_command(const std::string& program, const std::string& capability) {
  std::string command =
      "ncu --csv --page raw --metrics gpu__time_duration.sum,dram__bytes.sum,lts__t_bytes.sum,"
      "l1tex__t_bytes.sum";
  for (const Family& family : kFamilies) {
    for (const char* operation : family.operations) command += "," + instruction_metric(operation);
  }
  for (const std::string& path : tensor_paths(capability)) {
    command += "," + std::string(kTensor) + path + ".sum";
  }
  return command + " " + (program.empty() ? "PROGRAM" : program) + " > profile.csv";
}

}  // namespace roofline
