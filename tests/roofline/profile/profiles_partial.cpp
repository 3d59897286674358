// SPDX-License-Identifier: MIT
// Profiles that lack counters, and ncu output that is not a list of counters: sets, text, reports.
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/files.hpp"
#include "profile_files.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "roofline/profile.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace roofline;
using Catch::Matchers::Contains;

namespace {

const std::filesystem::path kNcu = RL_NCU_FOLDER;

/// A raw page of one launch with these columns: metric, unit, value.
struct Column {
  std::string metric, unit, value;
};
Profile raw(const std::vector<Column>& columns, const std::string& capability = "9.0") {
  std::string names = "\"ID\",\"Kernel Name\",\"CC\"";
  std::string units = "\"\",\"\",\"\"";
  std::string values = "\"0\",\"kernel\",\"" + capability + "\"";
  for (const Column& column : columns) {
    names += ",\"" + column.metric + "\"";
    units += ",\"" + column.unit + "\"";
    values += ",\"" + column.value + "\"";
  }
  return import_profile(written("raw.csv", names + "\n" + units + "\n" + values + "\n"));
}

std::string op(const std::string& operation, const std::string& tail) {
  return "smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum" + tail;
}

// A step of a 3-D Jacobi iteration on 384^3 points under `ncu --set full`, from a user: five
// additions and a multiplication for each of the 382^3 inner points. Rates and cycles are the
// user's; the time and the traffic are placeholders.
std::vector<Column> jacobi() {
  return {{"gpu__time_duration.sum", "us", "200"},
          {"dram__bytes_read.sum", "Mbyte", "250"},
          {"dram__bytes_write.sum", "Mbyte", "200"},
          {"smsp__cycles_elapsed.avg", "cycle", "345,045"},
          {op("dadd", ".per_cycle_elapsed"), "inst/cycle", "0"},
          {op("dmul", ".per_cycle_elapsed"), "inst/cycle", "0"},
          {"derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2", "inst/cycle", "0"},
          {op("fadd", ".per_cycle_elapsed"), "inst/cycle", "807.76"},
          {op("fmul", ".per_cycle_elapsed"), "inst/cycle", "161.55"},
          {"derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", "inst/cycle", "0"},
          {"derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2", "inst/cycle", "33792"}};
}

// The rows of a launch that has everything except arithmetic.
std::vector<Column> traffic() {
  return {{"gpu__time_duration.sum", "us", "10"}, {"dram__bytes.sum", "byte", "1000000"}};
}

std::vector<Column> with(std::vector<Column> columns, const std::vector<Column>& more) {
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

}  // namespace

TEST_CASE("a set's rates times its cycles are the counts") {
  const Profile profile = raw(jacobi());
  REQUIRE(profile.kernels.at(0).counts);
  const KernelCounts& counts = *profile.kernels[0].counts;
  constexpr double kInner = 382.0 * 382 * 382;
  // 807.76 is accurate to 0.005.
  CHECK(counts.flops() == Approx(6 * kInner).epsilon(2e-5));
  CHECK(807.76 * 345045 == Approx(5 * kInner).epsilon(1e-5));
  CHECK(counts.bytes.at("DRAM") == 450e6);
  CHECK_THAT(profile.kernels[0].notes.at(0), Contains("rates times cycles"));
  // Without halves and tensor cores it is a lower bound, so the kernel's bound is unknown.
  CHECK(counts.uncounted.count("fp16.vector") == 1);
  CHECK(counts.uncounted.count("fp32.vector") == 0);
  CHECK_THAT(profile.rerun, Contains("sm__ops_path_tensor_src_fp16.sum"));
  CHECK(profile.complete());
  CHECK_THAT(profile_json(profile), Contains("\"flops_are_lower_bound\": true"));
  const Machine h200 = load_machine(kMachines / "h200-sxm.toml");
  CHECK_FALSE(place(counts, &h200).bound);
  CHECK_THAT(profile_json(profile, &h200), Contains("\"bound\": null"));
}

TEST_CASE("from a lower bound of the FLOPs follows compute-bound or nothing") {
  const Machine h200 = load_machine(kMachines / "h200-sxm.toml");
  // FP32 is complete, and tensor cores are not counted: a product by CUTLASS under --set full.
  const auto counts_of = [](const char* fused) {
    const Profile profile = raw(with(traffic(), {{op("fadd", ""), "inst", "0"},
                                                 {op("fmul", ""), "inst", "0"},
                                                 {op("ffma", ""), "inst", fused}}));
    CHECK_THAT(profile.rerun, Contains("sm__ops_path_tensor_src_bf16"));
    return *profile.kernels.at(0).counts;
  };
  const ProfilePoint open = place(counts_of("370000"), &h200);  // 0.74 FLOP for each of 1e6 bytes
  CHECK_FALSE(open.bound);
  CHECK(open.fraction_of_roof == Approx(1e6 / 4.8e12 / 10e-6));
  const ProfilePoint computing = place(counts_of("100000000"), &h200);  // 200 FLOP/B
  CHECK(computing.bound == Bound::kCompute);
  CHECK(computing.fraction_of_roof == Approx(2e8 / 67e12 / 10e-6));
}

TEST_CASE("cycles from the clock and the time, fused operations by either name") {
  const auto fused = [](const Column& column, const Column& cycles) {
    const Profile profile = raw(with(traffic(), {column, cycles}));
    return profile.kernels.at(0).counts->operations.at("fp32.vector");
  };
  const Column clock = {"smsp__cycles_elapsed.avg.per_second", "cycle/nsecond", "1.5"};
  const Column cycles = {"sm__cycles_elapsed.max", "cycle", "15,000"};  // in those 10 us
  const Column plain = {op("ffma", ".per_cycle_elapsed"), "inst/cycle", "100"};
  const Column twice = {"derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", "", "200"};
  const Column thousands = {op("ffma", ".per_cycle_elapsed"), "Kinst/cycle", "0.1"};
  for (const Column& rate : {plain, twice, thousands}) {
    CHECK(fused(rate, clock) == Approx(2 * 100 * 15000));
    CHECK(fused(rate, cycles) == Approx(2 * 100 * 15000));
  }
  // A peak per cycle is not a count.
  const Column peak = {"derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2", "", "33792"};
  CHECK_FALSE(raw(with(traffic(), {peak, cycles})).kernels.at(0).counts->flops_known());
  // A count takes precedence over a rate.
  const Profile both = raw(with(traffic(), {{op("ffma", ""), "inst", "7"}, plain, cycles}));
  CHECK(both.kernels.at(0).counts->operations.at("fp32.vector") == 14);
  CHECK(both.kernels[0].notes.empty());
}

TEST_CASE("traffic from rates") {
  const Profile profile = raw({{"gpu__time_duration.sum", "us", "10"},
                               {"dram__bytes.sum.per_second", "Gbyte/s", "100"},
                               {"lts__t_bytes.sum.per_second", "Tbyte/second", "0.2"}});
  REQUIRE(profile.kernels.at(0).counts);
  CHECK(profile.kernels[0].counts->bytes.at("DRAM") == Approx(1e6));
  CHECK(profile.kernels[0].counts->bytes.at("L2") == Approx(2e6));
}

TEST_CASE("a kind counted in part is a lower bound that names what is missing") {
  const Profile profile = raw(with(traffic(), {{op("dadd", ""), "inst", "5"},
                                               {op("dfma", ""), "inst", "100"},
                                               {op("fadd", ""), "inst", "1000"},
                                               {op("fmul", ""), "inst", "2000"},
                                               {op("ffma", ""), "inst", "3000"}}));
  REQUIRE(profile.kernels.at(0).counts);
  const KernelCounts& counts = *profile.kernels[0].counts;
  CHECK(counts.operations.at("fp32.vector") == 9000);
  CHECK(counts.operations.at("fp64.vector") == 205);
  CHECK(counts.uncounted.at("fp64.vector") == std::vector<std::string>{op("dmul", "")});
  CHECK_THAT(uncounted_text(counts), Contains("fp64.vector (dmul)"));
  CHECK_THAT(profile.rerun, Contains("ncu --csv --page raw --metrics "));
  CHECK_THAT(profile.rerun, Contains(op("dmul", "")));
  // For compute capability 9.0, and only that.
  CHECK_THAT(profile.rerun, Contains("sm__ops_path_tensor_src_fp16.sum"));
  CHECK_THAT(raw(traffic(), "8.0").rerun, Contains("sm__ops_path_tensor_src_fp16_dst_fp32.sum"));
  CHECK_THAT(raw(traffic(), "12.0").rerun, !Contains("tensor"));
  const Machine h200 = load_machine(kMachines / "h200-sxm.toml");
  CHECK_FALSE(place(counts, &h200).bound);
}

TEST_CASE("unknown FLOPs are not zero FLOPs") {
  const Profile profile = raw(with(traffic(), {{op("fadd", ""), "inst", "0"},
                                               {op("fmul", ""), "inst", "0"},
                                               {op("ffma", ""), "inst", "n/a"}}));
  REQUIRE(profile.kernels.at(0).counts);
  const KernelCounts& counts = *profile.kernels[0].counts;
  CHECK_FALSE(counts.flops_known());
  CHECK_FALSE(profile.complete());
  const Machine h200 = load_machine(kMachines / "h200-sxm.toml");
  const ProfilePoint point = place(counts, &h200);
  CHECK(std::isnan(point.intensity));
  CHECK(std::isnan(point.flops_per_second));
  CHECK_FALSE(point.bound);
  CHECK(point.fraction_of_roof == Approx(1e6 / 4.8e12 / 10e-6));
  const std::string json = profile_json(profile, &h200);
  CHECK_THAT(json, Contains("\"flops\": null"));
  CHECK_THAT(json, Contains("\"flops_per_second\": null"));
  CHECK_THAT(json, !Contains("cache_resident"));
  CHECK_THAT(json, Contains("\"bound\": null"));
}

TEST_CASE("all of it counted, zero is zero") {
  std::vector<Column> columns = traffic();
  for (const char* operation :
       {"dadd", "dmul", "dfma", "fadd", "fmul", "ffma", "hadd", "hmul", "hfma"}) {
    columns.push_back({op(operation, ""), "inst", "0"});
  }
  for (const char* path :
       {"src_fp16", "src_bf16_dst_fp32", "src_tf32_dst_fp32", "src_fp64", "src_fp8"}) {
    columns.push_back({"sm__ops_path_tensor_" + std::string(path) + ".sum", "", "0"});
  }
  const Profile profile = raw(columns);
  REQUIRE(profile.kernels.at(0).counts);
  CHECK(profile.kernels[0].counts->flops_known());
  CHECK(profile.kernels[0].counts->flops() == 0);
  CHECK(profile.complete());
}

TEST_CASE("tensor work by sparsity where the whole was not collected") {
  const std::string path = "sm__ops_path_tensor_src_fp16_dst_fp32";
  const Column cycles = {"smsp__cycles_elapsed.avg", "cycle", "1000"};
  const Column dense = {path + "_sparsity_off.sum.per_cycle_elapsed", "", "4096"};
  const Column sparse = {path + "_sparsity_on.sum.per_cycle_elapsed", "", "0"};
  const Profile half = raw(with(traffic(), {cycles, dense}), "8.0");
  CHECK(half.kernels.at(0).counts->operations.at("fp16.matrix") == 4096000);
  const auto& missing = half.kernels[0].counts->uncounted.at("tensor cores");
  CHECK(std::count(missing.begin(), missing.end(), path + "_sparsity_on.sum") == 1);
  const Profile both = raw(with(traffic(), {cycles, dense, sparse}), "8.0");
  const auto& rest = both.kernels.at(0).counts->uncounted.at("tensor cores");
  CHECK(std::count(rest.begin(), rest.end(), path + "_sparsity_on.sum") == 0);
  CHECK(std::count(rest.begin(), rest.end(), path + ".sum") == 0);
}

TEST_CASE("AMD counters: the same lower bounds") {
  const std::string header =
      "Dispatch_Id,Agent_Id,Kernel_Name,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n";
  std::string rows;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, int>>{{"SQ_INSTS_VALU_ADD_F32", 10},
                                                {"SQ_INSTS_VALU_FMA_F32", 1000},
                                                {"SQ_INSTS_VALU_TRANS_F32", 0},
                                                {"TCC_BUBBLE_sum", 100},
                                                {"TCC_EA0_RDREQ_sum", 160},
                                                {"TCC_EA0_RDREQ_32B_sum", 10},
                                                {"TCC_EA0_WRREQ_sum", 70},
                                                {"TCC_EA0_WRREQ_64B_sum", 60}}) {
    rows += "1,Agent 4,k," + name + "," + std::to_string(value) + ",1000,2001000\n";
  }
  const Profile profile = import_profile(written("amd.csv", header + rows));
  REQUIRE(profile.kernels.at(0).counts);
  const KernelCounts& counts = *profile.kernels[0].counts;
  CHECK(counts.flops() == 64 * (10 + 2 * 1000));
  CHECK_THAT(uncounted_text(counts), Contains("fp32.vector (MUL_F32)"));
  CHECK_THAT(uncounted_text(counts), Contains("matrix cores"));
}

TEST_CASE("a set's details page and ncu's text get the command to run instead") {
  const Profile details = import_profile(kNcu / "saxpy_set_details.csv");
  CHECK_FALSE(details.complete());
  CHECK_THAT(details.kernels.at(0).problem, Contains("details page"));
  // The program is the one named in the file.
  CHECK_THAT(details.rerun, Contains(".sum build/cuda/bin/02-peaks/saxpy > profile.csv"));
  const std::string text =
      "==PROF== Connected to process 967 (/home/a/saxpy)\n"
      "  saxpy(int, float) (1024, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0\n"
      "    Section: GPU Speed Of Light Throughput\n"
      "    ----------------- ----------- ------------\n"
      "    Metric Name       Metric Unit Metric Value\n"
      "    Duration                   us         5.18\n";
  const auto file = written("text.txt", text);
  CHECK_THROWS_WITH(import_profile(file), Contains("the text that ncu prints") &&
                                              Contains("--metrics gpu__time_duration.sum,") &&
                                              Contains("sm__ops_path_tensor_src_bf16_dst_fp32") &&
                                              Contains(" /home/a/saxpy > profile.csv"));
}

TEST_CASE("a report is converted by the ncu on PATH") {
  const auto report = written("report.ncu-rep", std::string("NVR\0rest of a report", 20));
  const auto folder = support::scratch_folder() / "roofline-partial-bin";
  std::filesystem::create_directories(folder);
  const std::string path = std::getenv("PATH");
  const auto install = [&](const std::string& script) {
    base::write_file_atomically(folder / "ncu", "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder / "ncu", std::filesystem::perms::owner_all);
    ::setenv("PATH", (folder.string() + ":/usr/bin:/bin").c_str(), 1);
  };
  // A fake ncu: it prints a page only if called with the right arguments.
  install("[ \"$*\" = \"--import " + report.string() + " --csv --page raw\" ] || exit 3\n" +
          "cat '" + (kNcu / "saxpy_raw.csv").string() + "'\n");
  const Profile profile = import_profile(report);
  CHECK(profile.kernels.size() == 2);
  CHECK(profile.kernels.at(0).counts->flops() == 2 << 20);
  install("echo '==ERROR== the report is of a newer version'; exit 1\n");
  CHECK_THROWS_WITH(import_profile(report), Contains("newer version"));
  std::filesystem::remove(folder / "ncu");
  ::setenv("PATH", folder.c_str(), 1);
  CHECK_THROWS_WITH(import_profile(report), Contains("ncu --import") && Contains("not on PATH"));
  ::setenv("PATH", path.c_str(), 1);
}
