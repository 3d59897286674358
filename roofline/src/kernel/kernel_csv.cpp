// SPDX-License-Identifier: MIT
// Nsight Compute's raw page and JSON from what the virtual GPU counted.
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "kernel_text.hpp"

namespace roofline {
namespace {

using vgpu::Access;
using vgpu::Launch;
using vgpu::Site;
using vgpu::Space;
using Json = nlohmann::ordered_json;

/// A column: the metric's name, its base unit, and where its value comes from.
struct Column {
  std::string metric;
  const char* unit;
  std::function<double(const KernelFindings&, const vgpu::Geometry&)> value;
};

/// A column whose value needs only the launch.
Column of_launch(std::string metric, const char* unit, std::function<double(const Launch&)> value) {
  return {std::move(metric), unit, [value = std::move(value)](const auto& kernel, const auto&) {
            return value(kernel.launch);
          }};
}

void add_requests(std::vector<Column>& columns, Access access, const std::string& operation) {
  const auto global = [access](double Site::*figure) {
    return [=](const Launch& launch) { return launch.total(Space::kGlobal, access, figure); };
  };
  const auto shared = [access](double Site::*figure) {
    return [=](const Launch& launch) { return launch.total(Space::kShared, access, figure); };
  };
  const std::string l1 = "l1tex__";
  columns.push_back(of_launch(l1 + "t_requests_pipe_lsu_mem_global_op_" + operation + ".sum", "",
                              global(&Site::requests)));
  columns.push_back(of_launch(l1 + "t_sectors_pipe_lsu_mem_global_op_" + operation + ".sum",
                              "sector", global(&Site::sectors)));
  columns.push_back(of_launch(l1 + "data_pipe_lsu_wavefronts_mem_shared_op_" + operation + ".sum",
                              "", shared(&Site::wavefronts)));
  columns.push_back(
      of_launch(l1 + "data_bank_conflicts_pipe_lsu_mem_shared_op_" + operation + ".sum", "",
                [access](const Launch& launch) {
                  return launch.total(Space::kShared, access, &Site::wavefronts) -
                         launch.total(Space::kShared, access, &Site::ideal_wavefronts);
                }));
}

/// One format's instructions of lanes; halves are packed in pairs, as import_profile() expects.
void add_arithmetic(std::vector<Column>& columns, const std::string& format, char letter,
                    double packed) {
  const auto add = [&](const char* operation, double vgpu::Arithmetic::*figure) {
    columns.push_back(of_launch(
        std::string("sm__sass_thread_inst_executed_op_") + letter + operation + "_pred_on.sum",
        "inst", [=](const Launch& launch) {
          const auto found = launch.arithmetic.find(format);
          return found == launch.arithmetic.end() ? 0 : found->second.*figure / packed;
        }));
  };
  add("add", &vgpu::Arithmetic::add);
  add("mul", &vgpu::Arithmetic::multiply);
  add("fma", &vgpu::Arithmetic::fma);
}

/// Instructions of tensor cores, and their operations by the factors' format, in a metric whose
/// name depends on the architecture; nothing for machines without tensor cores.
void add_matrix(std::vector<Column>& columns, const std::string& architecture) {
  if (architecture.find("(sm_") == std::string::npos) return;
  columns.push_back(of_launch("sm__inst_executed_pipe_tensor.sum", "inst",
                              [](const Launch& launch) { return launch.matrix_instructions(); }));
  const bool is_hopper = architecture.find("(sm_90)") != std::string::npos;
  const auto add = [&](const std::string& format, const char* path) {
    columns.push_back(of_launch(std::string("sm__ops_path_tensor_") + path + ".sum", "",
                                [format](const Launch& launch) {
                                  const auto found = launch.matrix.find(format);
                                  return found == launch.matrix.end() ? 0 : found->second.flops;
                                }));
  };
  add("fp16", is_hopper ? "src_fp16" : "src_fp16_dst_fp32");
  add("bf16", "src_bf16_dst_fp32");
}

double l1_sectors(const Launch& launch) {
  double sectors = 0;
  for (const Access access : {Access::kLoad, Access::kStore, Access::kAtomic}) {
    sectors += launch.total(Space::kGlobal, access, &Site::sectors);
  }
  return sectors;
}

double l2_sectors(const Launch& launch) {
  return launch.l2_read_sectors + launch.l2_write_sectors + launch.l2_atomic_sectors;
}

std::vector<Column> columns(const Machine& machine) {
  std::vector<Column> all;
  all.push_back({"gpu__time_duration.sum", "nsecond", [](const auto& kernel, const auto&) {
                   return 1e9 * kernel.time.expected_seconds;
                 }});
  all.push_back(of_launch("dram__bytes.sum", "byte", [](const Launch& launch) {
    return launch.dram_bytes_read + launch.dram_bytes_written;
  }));
  all.push_back(of_launch("dram__bytes_read.sum", "byte", &Launch::dram_bytes_read));
  all.push_back(of_launch("dram__bytes_write.sum", "byte", &Launch::dram_bytes_written));
  all.push_back({"lts__t_bytes.sum", "byte", [](const auto& kernel, const auto& geometry) {
                   return geometry.sector_bytes * l2_sectors(kernel.launch);
                 }});
  all.push_back(
      of_launch("lts__t_sectors_srcunit_tex_op_read.sum", "sector", &Launch::l2_read_sectors));
  all.push_back(
      of_launch("lts__t_sectors_srcunit_tex_op_write.sum", "sector", &Launch::l2_write_sectors));
  all.push_back(of_launch("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", "sector",
                          &Launch::l2_read_hits));
  all.push_back({"l1tex__t_bytes.sum", "byte", [](const auto& kernel, const auto& geometry) {
                   return geometry.sector_bytes * l1_sectors(kernel.launch);
                 }});
  all.push_back(of_launch("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "sector",
                          &Launch::l1_load_hits));
  add_requests(all, Access::kLoad, "ld");
  add_requests(all, Access::kStore, "st");
  add_requests(all, Access::kAtomic, "atom");
  add_arithmetic(all, "fp64", 'd', 1);
  add_arithmetic(all, "fp32", 'f', 1);
  add_arithmetic(all, "fp16", 'h', 2);
  add_matrix(all, machine.architecture);
  all.push_back(
      of_launch("launch__registers_per_thread", "register/thread", &Launch::registers_per_thread));
  return all;
}

std::string line_of_fields(const std::vector<std::string>& fields) {
  std::string row;
  for (const std::string& field : fields) row += (row.empty() ? "" : ",") + base::csv_quoted(field);
  return row + "\n";
}

std::string size_text(const std::array<std::int64_t, 3>& size) {
  return "(" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " +
         std::to_string(size[2]) + ")";
}

Json time_json(const KernelTime& time) {
  Json units = Json::array();
  for (const UnitTime& unit : time.units) {
    units.push_back({{"name", unit.name},
                     {"amount", unit.amount},
                     {"of", unit.what},
                     {"seconds", unit.seconds},
                     {"seconds_at_peak", unit.peak_seconds},
                     {"share_of_peak", unit.share_of_peak}});
  }
  return {{"bound", time.bound},
          {"seconds", time.expected_seconds},
          {"seconds_low", time.low_seconds},
          {"seconds_high", time.high_seconds},
          {"seconds_memory_latency", time.memory_latency_seconds},
          {"seconds_chain", time.chain_seconds},
          {"seconds_start", time.start_seconds},
          {"bytes_in_flight", time.concurrency.bytes_available},
          {"bytes_in_flight_needed", time.concurrency.bytes_needed},
          {"units", std::move(units)},
          {"assumptions", time.assumptions}};
}

}  // namespace

std::map<std::string, double> metrics_of(const KernelFindings& kernel, const KernelReport& report) {
  std::map<std::string, double> metrics;
  for (const Column& column : columns(report.machine)) {
    metrics[column.metric] = column.value(kernel, report.geometry);
  }
  return metrics;
}

std::string kernel_csv(const KernelReport& report) {
  const std::vector<Column> all = columns(report.machine);
  std::vector<std::string> header = {
      "ID",     "Process ID", "Process Name", "Host Name", "Kernel Name", "Context",
      "Stream", "Block Size", "Grid Size",    "Device",    "CC"};
  std::vector<std::string> units(header.size());
  for (const Column& column : all) {
    header.push_back(column.metric);
    units.push_back(column.unit);
  }
  std::string text = line_of_fields(header) + line_of_fields(units);
  int id = 0;
  for (const KernelFindings& kernel : report.kernels) {
    std::vector<std::string> row = {std::to_string(id++),
                                    "0",
                                    "virtual GPU",
                                    "",
                                    kernel.launch.kernel,
                                    "0",
                                    "0",
                                    size_text(kernel.launch.block),
                                    size_text(kernel.launch.grid),
                                    report.machine.name + ", virtual",
                                    ""};
    for (const Column& column : all) {
      row.push_back(base::formatted("%.17g", column.value(kernel, report.geometry)));
    }
    text += line_of_fields(row);
  }
  return text;
}

std::string kernel_json(const KernelReport& report) {
  vgpu::Profile profile{report.geometry, {}};
  Json times = Json::array();
  Json advice = Json::array();
  for (const KernelFindings& kernel : report.kernels) {
    profile.launches.push_back(kernel.launch);
    times.push_back(time_json(kernel.time));
    Json lines = Json::array();
    for (const LineAdvice& line : kernel.advice) {
      lines.push_back({{"file", line.file},
                       {"line", line.line},
                       {"text", line.text},
                       {"section", line.section}});
    }
    advice.push_back(std::move(lines));
  }
  const Json json = {
      {"schema", "roofline.kernel_report"}, {"version", 1},
      {"machine", report.machine.id},       {"profile", Json::parse(vgpu::to_json(profile))},
      {"times", std::move(times)},          {"advice", std::move(advice)}};
  return json.dump(1) + "\n";
}

}  // namespace roofline
