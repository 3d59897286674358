// SPDX-License-Identifier: MIT
// Counters of AMD GPUs (gfx90a, gfx942, gfx950), and rocprofv3's CSV.
#include <array>
#include <cmath>

#include "base/csv.hpp"
#include "profile_formats.hpp"

namespace roofline {
namespace {

constexpr double kWave = 64;
constexpr double kMfmaUnit = 512;  // FLOPs per MFMA_MOPS count
constexpr double kLine = 64;

double required(const Counters& counters, const std::string& name) {
  const auto found = counters.find(name);
  if (found == counters.end()) throw CountingProblem{"the counter " + name + " was not collected"};
  return found->second;
}

bool has(const Counters& counters, const std::string& name) {
  return counters.count(name) > 0;
}

std::string architecture_of(const Counters& counters, const std::string& stated) {
  if (!stated.empty()) {
    for (const char* known : {"gfx90a", "gfx942", "gfx950"}) {
      if (stated == known) return stated;
    }
    throw CountingProblem{"there are no formulas for '" + stated +
                          "'; known are gfx90a, gfx942 and gfx950"};
  }
  if (has(counters, "TCC_EA_RDREQ_sum")) return "gfx90a";
  if (has(counters, "TCC_EA0_RDREQ_128B_sum")) return "gfx950";
  if (has(counters, "TCC_EA0_RDREQ_sum")) return "gfx942";
  throw CountingProblem{
      "no counter of memory requests (TCC_EA_RDREQ_sum or TCC_EA0_RDREQ_sum) was collected"};
}

void add_vector(const Counters& counters, const std::string& suffix, const std::string& kind,
                KernelCounts& counts) {
  const std::array<std::pair<const char*, double>, 4> operations = {
      {{"ADD_", 1}, {"MUL_", 1}, {"TRANS_", 1}, {"FMA_", 2}}};
  for (const auto& [operation, flops] : operations) {
    const std::string name = "SQ_INSTS_VALU_" + std::string(operation) + suffix;
    const auto found = counters.find(name);
    if (found == counters.end()) {
      counts.uncounted[kind].push_back(name);
    } else {
      counts.operations[kind] += kWave * flops * found->second;
    }
  }
}

void add_matrix(const Counters& counters, KernelCounts& counts) {
  struct Kind {
    const char* suffix;
    const char* name;
    bool everywhere;  // on every architecture; otherwise it may be absent
  };
  constexpr std::array<Kind, 8> kinds = {{{"F16", "fp16.matrix", true},
                                          {"BF16", "bf16.matrix", true},
                                          {"F32", "fp32.matrix", true},
                                          {"F64", "fp64.matrix", true},
                                          {"F8", "fp8.matrix", false},
                                          {"F6F4", "fp4.matrix", false},
                                          {"XF32", "tf32.matrix", false},
                                          {"I8", "int8.matrix", false}}};
  for (const Kind& kind : kinds) {
    const std::string name = "SQ_INSTS_VALU_MFMA_MOPS_" + std::string(kind.suffix);
    const auto found = counters.find(name);
    if (found != counters.end()) {
      counts.operations[kind.name] += kMfmaUnit * found->second;
    } else if (kind.everywhere) {
      counts.uncounted["matrix cores"].push_back(name);
    }
  }
}

double written_bytes(const Counters& counters, const std::string& prefix) {
  const double all = required(counters, prefix + "WRREQ_sum");
  const double full = required(counters, prefix + "WRREQ_64B_sum");
  return 64 * full + 32 * (all - full);
}

// L2 to fabric. Behind the fabric are HBM, on MI300 the Infinity Cache, and other devices.
double fabric_bytes(const Counters& counters, const std::string& architecture) {
  if (architecture == "gfx90a") {
    const double all = required(counters, "TCC_EA_RDREQ_sum");
    const double half = required(counters, "TCC_EA_RDREQ_32B_sum");
    return 32 * half + 64 * (all - half) + written_bytes(counters, "TCC_EA_");
  }
  const double half = required(counters, "TCC_EA0_RDREQ_32B_sum");
  if (architecture == "gfx950") {
    return 32 * half + 64 * required(counters, "TCC_EA0_RDREQ_64B_sum") +
           128 * required(counters, "TCC_EA0_RDREQ_128B_sum") + written_bytes(counters, "TCC_EA0_");
  }
  const double all = required(counters, "TCC_EA0_RDREQ_sum");
  const double wide = required(counters, "TCC_BUBBLE_sum");
  return 128 * wide + 32 * half + 64 * (all - wide - half) + written_bytes(counters, "TCC_EA0_");
}

void add_inner_levels(const Counters& counters, KernelCounts& counts) {
  double l2 = 0;
  bool complete = true;
  for (const char* request : {"READ", "WRITE", "ATOMIC_WITH_RET", "ATOMIC_WITHOUT_RET"}) {
    const auto found = counters.find("TCP_TCC_" + std::string(request) + "_REQ_sum");
    complete = complete && found != counters.end();
    if (found != counters.end()) l2 += kLine * found->second;
  }
  if (complete) counts.bytes["L2"] = l2;
  const auto l1 = counters.find("TCP_TOTAL_CACHE_ACCESSES_sum");
  if (l1 != counters.end()) counts.bytes["L1"] = kLine * l1->second;
}

void note_hbm_share(const Counters& counters, std::vector<std::string>& notes) {
  for (const char* prefix : {"TCC_EA_", "TCC_EA0_"}) {
    const auto dram = counters.find(prefix + std::string("RDREQ_DRAM_sum"));
    const auto all = counters.find(prefix + std::string("RDREQ_sum"));
    if (dram == counters.end() || all == counters.end() || all->second <= 0) continue;
    notes.push_back(std::to_string(std::lround(100 * dram->second / all->second)) +
                    " % of the read requests went to HBM");
  }
}

}  // namespace

KernelCounts counts_from_amd(const Counters& counters, double seconds,
                             const std::string& architecture, std::vector<std::string>& notes) {
  if (seconds <= 0) throw CountingProblem{"the dispatch has no duration"};
  for (const auto& [name, value] : counters) {
    if (value < 0) throw CountingProblem{"the counter " + name + " is negative"};
  }
  const std::string known = architecture_of(counters, architecture);
  KernelCounts counts;
  counts.seconds = seconds;
  add_vector(counters, "F64", "fp64.vector", counts);
  add_vector(counters, "F32", "fp32.vector", counts);
  add_vector(counters, "F16", "fp16.vector", counts);
  add_matrix(counters, counts);
  counts.bytes["fabric"] = fabric_bytes(counters, known);
  if (counts.bytes["fabric"] < 0)
    throw CountingProblem{"the memory requests contradict one another"};
  add_inner_levels(counters, counts);
  note_hbm_share(counters, notes);
  notes.push_back("masked lanes are counted as working, packed instructions once (" + known + ")");
  return counts;
}

void count_amd(KernelProfile& kernel, const Counters& counters, double seconds,
               const ImportOptions& options) {
  kernel.counters = counters;
  if (!kernel.problem.empty()) return;
  try {
    kernel.counts = counts_from_amd(counters, seconds, options.architecture, kernel.notes);
  } catch (const CountingProblem& problem) {
    kernel.notes.clear();
    kernel.problem = problem.reason;
  }
}

Work simple_amd_estimate(const Counters& counters) {
  const auto value = [&](const char* name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0.0 : found->second;
  };
  return {8 * value("SQ_INSTS_VALU") + kMfmaUnit * value("SQ_INSTS_VALU_MFMA_MOPS_F32"),
          32 * value("TCC_EA0_RDREQ_32B_sum") + 64 * value("TCC_EA0_RDREQ_64B_sum")};
}

bool is_rocprofv3_header(const base::CsvRow& row) {
  for (const char* name : {"Dispatch_Id", "Kernel_Name", "Counter_Name", "Counter_Value"}) {
    if (base::column_of(row, name) >= row.size()) return false;
  }
  return true;
}

Profile read_rocprofv3(const base::CsvTable& table, const ImportOptions& options) {
  const base::CsvRow& header = table.rows.front();
  const auto cell = [&](const base::CsvRow& row, const char* name) {
    const std::size_t column = base::column_of(header, name);
    return column < row.size() ? row[column] : std::string();
  };
  std::vector<Dispatch> dispatches;
  const auto dispatch_of = [&](const base::CsvRow& row) -> Dispatch& {
    const std::string id = cell(row, "Dispatch_Id");
    const std::string agent = cell(row, "Agent_Id");
    for (Dispatch& known : dispatches) {
      if (known.kernel.id == id && known.kernel.device == agent) return known;
    }
    Dispatch& fresh = dispatches.emplace_back();
    fresh.kernel.id = id;
    fresh.kernel.device = agent;
    fresh.kernel.name = cell(row, "Kernel_Name");
    return fresh;
  };
  for (std::size_t r = 1; r < table.rows.size(); ++r) {
    const base::CsvRow& row = table.rows[r];
    Dispatch& dispatch = dispatch_of(row);
    const auto value = parse_counter(cell(row, "Counter_Value"));
    const auto start = parse_counter(cell(row, "Start_Timestamp"));
    const auto end = parse_counter(cell(row, "End_Timestamp"));
    if (row.size() != header.size() || (table.cut_off && r + 1 == table.rows.size())) {
      dispatch.kernel.problem = "the file ends in the middle of this dispatch";
    } else if (!value) {
      dispatch.kernel.problem = "the counter " + cell(row, "Counter_Name") + " has no usable value";
    } else {
      // One row per instance of a counter, or one for all: either way we want the sum.
      dispatch.counters[cell(row, "Counter_Name")] += *value;
      if (start && end) dispatch.seconds = (*end - *start) * 1e-9;
    }
  }
  Profile profile{"rocprofv3 csv", {}, {}};
  for (Dispatch& dispatch : dispatches) {
    count_amd(dispatch.kernel, dispatch.counters, dispatch.seconds, options);
    profile.kernels.push_back(std::move(dispatch.kernel));
  }
  return profile;
}

}  // namespace roofline
