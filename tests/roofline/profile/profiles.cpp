// SPDX-License-Identifier: MIT
// Profiler files: the formulas, the formats, and files that are broken in every way we know.
#include <sqlite3.h>

#include <cmath>
#include <filesystem>

#include "profile_files.hpp"
#include "roofline/profile.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

using namespace roofline;
using Catch::Matchers::Contains;

namespace {

using support::replaced;

Profile imported(const std::string& content, const ImportOptions& options = {}) {
  return import_profile(written("input.csv", content), options);
}

// A SAXPY of 2^26 elements: one FFMA a thread, 805,306,368 bytes, 185.2 us.
const std::string kRaw =
    R"csv(==PROF== Connected to process 4242 (/tmp/a.out)
==PROF== Profiling "saxpy": 0%....100% - 1 pass
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","device__attribute_l2","dram__bytes.sum","gpu__time_duration.sum","l1tex__t_bytes.sum","lts__t_bytes.sum","sm__sass_thread_inst_executed_op_fadd_pred_on.sum","sm__sass_thread_inst_executed_op_ffma_pred_on.sum","sm__sass_thread_inst_executed_op_fmul_pred_on.sum"
"","","","","","","","","","","","","Mbyte","usecond","byte","Kbyte","inst","inst","inst"
"0","4242","a.out","h","saxpy(int, float)","1","7","(256, 1, 1)","(262144, 1, 1)","0","9.0","1","805.306368","185.20","805,306,368","805,306.368","0","67,108,864","0"
"1","4242","a.out","h","cached(int, float)","1","7","(256, 1, 1)","(262144, 1, 1)","0","9.0","1","0","10.00","1,024","2","0","67,108,864","0"
)csv";

const std::string kDetails =
    R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","1","a","h","gemm","1","7","(1,1,1)","(1,1,1)","0","9.0","Command line profiler metrics","dram__bytes_read.sum","Gbyte","1.5"
"0","1","a","h","gemm","1","7","(1,1,1)","(1,1,1)","0","9.0","Command line profiler metrics","dram__bytes_write.sum","Gbyte","0.5"
"0","1","a","h","gemm","1","7","(1,1,1)","(1,1,1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","msecond","2"
"0","1","a","h","gemm","1","7","(1,1,1)","(1,1,1)","0","9.0","Command line profiler metrics","sm__ops_path_tensor_src_bf16_dst_fp32.sum","","1,000,000,000,000"
"0","1","a","h","gemm","1","7","(1,1,1)","(1,1,1)","0","9.0","Command line profiler metrics","sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum","","1,000,000,000,000"
"0","1","a","h","gemm","1","7","(1,1,1)","(1,1,1)","0","9.0","Command line profiler metrics","sm__ops_path_tensor_op_hgmma_src_bf16.sum","","1,000,000,000,000"
"1","1","a","h","other","1","7","(1,1,1)","(1,1,1)","0","9.0","Command line profiler metrics","dram__bytes.sum","Gbyte","1"
)csv";

std::string amd_rows(const std::map<std::string, double>& counters, int dispatch = 1) {
  std::string text;
  for (const auto& [name, value] : counters) {
    text += std::to_string(dispatch) + ",Agent 4,\"kernel<float>(int, float)\"," + name + "," +
            std::to_string(value) + ",1000,2001000\n";
  }
  return text;
}
const std::string kAmdHeader =
    "Dispatch_Id,Agent_Id,Kernel_Name,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n";

std::map<std::string, double> fp32_instructions() {
  return {{"SQ_INSTS_VALU_ADD_F32", 10},
          {"SQ_INSTS_VALU_MUL_F32", 20},
          {"SQ_INSTS_VALU_TRANS_F32", 30},
          {"SQ_INSTS_VALU_FMA_F32", 1000}};
}

std::map<std::string, double> with(std::map<std::string, double> base,
                                   const std::map<std::string, double>& more) {
  base.insert(more.begin(), more.end());
  return base;
}

const std::map<std::string, double> kReads942 = {{"TCC_BUBBLE_sum", 100},
                                                 {"TCC_EA0_RDREQ_sum", 160},
                                                 {"TCC_EA0_RDREQ_32B_sum", 10},
                                                 {"TCC_EA0_WRREQ_sum", 70},
                                                 {"TCC_EA0_WRREQ_64B_sum", 60}};

class TestDatabase {
 public:
  explicit TestDatabase(const std::string& name)
      : path_(support::scratch_folder() / ("roofline-profile-" + name)) {
    std::filesystem::remove(path_);
    REQUIRE(sqlite3_open(path_.c_str(), &database_) == SQLITE_OK);
  }
  ~TestDatabase() { sqlite3_close(database_); }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  void run(const std::string& statements) {
    char* message = nullptr;
    const int status = sqlite3_exec(database_, statements.c_str(), nullptr, nullptr, &message);
    INFO((message ? message : ""));
    REQUIRE(status == SQLITE_OK);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  sqlite3* database_ = nullptr;
};

// The documented tables with a suffix in their names, and one dispatch of 2 ms whose counters have
// two instances each.
void fill_rocpd(TestDatabase& database, const std::string& suffix) {
  const auto table = [&](const char* name) { return "\"" + (name + suffix) + "\""; };
  database.run("CREATE TABLE " + table("rocpd_info_pmc") +
               "(id INTEGER, guid TEXT, agent_id INTEGER, name TEXT, symbol TEXT, expression TEXT);"
               "CREATE TABLE " +
               table("rocpd_pmc_event") +
               "(id INTEGER, guid TEXT, event_id INTEGER, pmc_id INTEGER, value REAL, sample_id "
               "INTEGER);"
               "CREATE TABLE " +
               table("rocpd_kernel_dispatch") +
               "(id INTEGER, guid TEXT, agent_id INTEGER, kernel_id INTEGER, dispatch_id INTEGER, "
               "start INTEGER, \"end\" INTEGER, event_id INTEGER);"
               "CREATE TABLE " +
               table("rocpd_info_kernel_symbol") + "(id INTEGER, guid TEXT, display_name TEXT);");
  database.run("INSERT INTO " + table("rocpd_kernel_dispatch") +
               " VALUES(1,'g',4,9,1,1000,2001000,77);INSERT INTO " +
               table("rocpd_info_kernel_symbol") + " VALUES(9,'g','saxpy');");
  int id = 0;
  for (const auto& [name, value] : with(fp32_instructions(), kReads942)) {
    ++id;
    database.run("INSERT INTO " + table("rocpd_info_pmc") + " VALUES(" + std::to_string(id) +
                 ",'g',4,'" + name + "','','');");
    for (int half = 0; half < 2; ++half) {
      database.run("INSERT INTO " + table("rocpd_pmc_event") + " VALUES(" +
                   std::to_string(2 * id + half) + ",'g',77," + std::to_string(id) + "," +
                   std::to_string(value / 2) + ",NULL);");
    }
  }
}

void check_amd_942(const KernelProfile& kernel) {
  INFO(kernel.problem);
  REQUIRE(kernel.counts);
  CHECK(kernel.counts->operations.at("fp32.vector") == 64 * (10 + 20 + 30 + 2 * 1000));
  CHECK(kernel.counts->bytes.at("fabric") == 128 * 100 + 32 * 10 + 64 * 50 + 64 * 60 + 32 * 10);
  CHECK(kernel.counts->seconds == Approx(2e-3));
}

}  // namespace

TEST_CASE("an architecture of AMD is not taken for a profile of an NVIDIA GPU") {
  CHECK_THROWS_WITH(imported(kRaw, {"gfx90a"}), Contains("--architecture is for AMD's"));
}

TEST_CASE("Nsight Compute's raw page") {
  const Profile profile = imported(kRaw);
  REQUIRE(profile.format == "ncu raw");
  REQUIRE(profile.kernels.size() == 2);
  const KernelProfile& saxpy = profile.kernels[0];
  REQUIRE(saxpy.counts);
  CHECK(saxpy.name == "saxpy(int, float)");
  CHECK(saxpy.counts->flops() == 2 * 67108864.0);
  CHECK(saxpy.counts->bytes.at("DRAM") == Approx(805306368));
  CHECK(saxpy.counts->bytes.at("L2") == Approx(805306368));
  CHECK(saxpy.counts->bytes.at("L1") == 805306368);
  CHECK(saxpy.counts->seconds == Approx(185.2e-6));
  CHECK_THAT(uncounted_text(*saxpy.counts), Contains("fp64.vector"));
}

// Two launches each of topic 02's programs on one H200, Nsight Compute 2025.3, 2026-11-22:
//   ncu --clock-control none --csv --launch-count 2 --page raw|details --metrics ... PROGRAM
// saxpy_set_details.csv with --set roofline instead.
TEST_CASE("what Nsight Compute wrote on an H200") {
  const std::filesystem::path folder = RL_NCU_FOLDER;
  constexpr double kElements = 1 << 20;
  for (const char* file : {"saxpy_raw.csv", "saxpy_details.csv"}) {
    const Profile profile = import_profile(folder / file, {});
    INFO(file);
    REQUIRE(profile.kernels.size() == 2);
    for (const KernelProfile& kernel : profile.kernels) {
      REQUIRE(kernel.counts);
      CHECK(kernel.name == "saxpy_kernel(long, float, const float *, float *)");
      CHECK(kernel.counts->flops() == 2 * kElements);
      CHECK(kernel.counts->bytes.at("L1") == 12 * kElements);
      // Written data stays in the L2 cache when the launch ends.
      CHECK(kernel.counts->bytes.at("DRAM") == Approx(8 * kElements).epsilon(0.01));
      CHECK(kernel.counts->seconds == Approx(5.2e-6).epsilon(0.02));
    }
  }
  const Profile halves = import_profile(folder / "packed_half_raw.csv", {});
  REQUIRE(halves.kernels.at(0).counts);
  // The conversions of its input and result count too.
  CHECK(halves.kernels[0].counts->operations.at("fp16.vector") ==
        Approx(4 * 134217728.0).epsilon(1e-4));
}

// One launch of topic 01's stencil on an H100 SXM, 2026-11-27, of 256 planes
// of 257 rows of 258 points: ncu --set full --csv --page raw stencil7 --n 256 --once
TEST_CASE("what most people run, on an H100") {
  const Profile profile =
      import_profile(std::filesystem::path(RL_NCU_FOLDER) / "stencil7_set_full_raw.csv", {});
  REQUIRE(profile.kernels.size() == 1);
  const KernelProfile& kernel = profile.kernels[0];
  REQUIRE(kernel.counts);
  // Six additions for every point inside. The rate, 669.51, is accurate to 0.005.
  CHECK(kernel.counts->operations.at("fp32.vector") == Approx(6.0 * 254 * 255 * 256).epsilon(2e-5));
  CHECK(kernel.counts->bytes.at("DRAM") == Approx(67904512 + 54980864));
  CHECK(kernel.counts->seconds == Approx(94.912e-6));
  CHECK_THAT(kernel.notes.back(), Contains("rates times cycles"));
}

TEST_CASE("what Nsight Compute did not count is named") {
  const std::filesystem::path folder = RL_NCU_FOLDER;
  // The kernel multiplies FP16 on the tensor cores; only BF16 was requested.
  const Profile matrix = import_profile(folder / "matrix_raw.csv", {});
  REQUIRE(matrix.kernels.at(0).counts);
  CHECK_FALSE(matrix.kernels[0].counts->flops_known());
  CHECK_THAT(matrix.kernels[0].notes.at(0), Contains("only for these operands: bf16"));
  CHECK_THAT(matrix.rerun, Contains("sm__ops_path_tensor_src_fp16.sum"));
  const Profile sections = import_profile(folder / "saxpy_set_details.csv", {});
  REQUIRE(sections.kernels.size() == 2);
  CHECK_FALSE(sections.complete());
  CHECK_THAT(sections.kernels[0].problem, Contains("no counters"));
}

TEST_CASE("a kernel on a machine's roofline") {
  const Machine h200 = load_machine(kMachines / "h200-sxm.toml");
  const Profile profile = imported(kRaw);
  const ProfilePoint saxpy = place(*profile.kernels[0].counts, &h200);
  CHECK(saxpy.intensity == Approx(1.0 / 6));
  CHECK(saxpy.bytes_per_second == Approx(805306368 / 185.2e-6));
  CHECK_FALSE(saxpy.bound);  // halves and tensor cores are not counted in this file
  CHECK(saxpy.fraction_of_roof == Approx(805306368 / 185.2e-6 / 4800e9));
  // No bytes: cache-resident and compute-bound, not intensity zero.
  const ProfilePoint cached = place(*profile.kernels[1].counts, &h200);
  CHECK(std::isinf(cached.intensity));
  CHECK(cached.bound == Bound::kCompute);
  CHECK_THAT(profile_json(profile, &h200), Contains("\"cache_resident\": true"));
}

TEST_CASE("Nsight Compute's details page, tensor parents only") {
  const Profile profile = imported(kDetails);
  REQUIRE(profile.format == "ncu details");
  REQUIRE(profile.kernels.size() == 2);
  const KernelProfile& gemm = profile.kernels[0];
  REQUIRE(gemm.counts);
  CHECK(gemm.counts->operations.at("bf16.matrix") == 1e12);
  CHECK(gemm.counts->flops() == 1e12);
  CHECK(gemm.counts->bytes.at("DRAM") == Approx(2e9));
  CHECK(gemm.counts->seconds == Approx(2e-3));
  CHECK_FALSE(profile.kernels[1].counts);
  CHECK_THAT(profile.kernels[1].problem, Contains("gpu__time_duration.sum was not collected"));
  CHECK_FALSE(profile.complete());
}

TEST_CASE("weights of packed halves, doubles and integers") {
  const std::string header =
      "\"ID\",\"Kernel Name\",\"dram__bytes.sum\",\"gpu__time_duration.sum\","
      "\"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum\","
      "\"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum\","
      "\"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum\","
      "\"sm__sass_thread_inst_executed_op_hadd_pred_on.sum\","
      "\"sm__sass_thread_inst_executed_op_hmul_pred_on.sum\","
      "\"sm__sass_thread_inst_executed_op_hfma_pred_on.sum\",\"sm__ops_path_tensor_src_int8.sum\"\n"
      "\"\",\"\",\"byte\",\"nsecond\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"\n";
  const Profile profile = imported(header + "0,k,100,1000,1,2,3,10,20,30,5000\n");
  REQUIRE(profile.kernels.at(0).counts);
  const KernelCounts& counts = *profile.kernels[0].counts;
  CHECK(counts.operations.at("fp64.vector") == 1 + 2 + 2 * 3);
  CHECK(counts.operations.at("fp16.vector") == 2 * 10 + 2 * 20 + 4 * 30);
  CHECK(counts.operations.at("int8.matrix") == 5000);
  CHECK(counts.flops() == 9 + 180);
}

TEST_CASE("what is missing or broken in ncu output costs that kernel only") {
  const auto first_problem = [](const std::string& content) {
    const Profile profile = imported(content);
    REQUIRE(profile.kernels.size() == 2);
    CHECK_FALSE(profile.kernels[0].counts);
    CHECK(profile.kernels[1].counts);
    return profile.kernels[0].problem;
  };
  CHECK_THAT(first_problem(replaced(kRaw, "\"67,108,864\"", "\"many\"")),
             Contains("ffma") && Contains("many"));
  CHECK_THAT(first_problem(replaced(kRaw, "\"805.306368\"", "\"no data\"")), Contains("no data"));
  CHECK_THAT(first_problem(replaced(kRaw, "\"185.20\"", "\"\"")), Contains("gpu__time_duration"));
  CHECK_THAT(first_problem(replaced(kRaw, "\"67,108,864\"", "\"67.108.864\"")),
             Contains("67.108.864"));
  CHECK_THAT(first_problem(replaced(kRaw, "\"185.20\"", "\"185,20\"")), Contains("185,20"));
  CHECK_THAT(first_problem(replaced(kRaw, "\"185.20\"", "\"-1\"")), Contains("negative"));
  // An unknown unit affects every launch, because it is stated once for all.
  for (const KernelProfile& kernel : imported(replaced(kRaw, "usecond", "fortnight")).kernels) {
    CHECK_THAT(kernel.problem, Contains("fortnight"));
  }
}

TEST_CASE("truncated ncu output keeps what came before") {
  for (const std::size_t cut : {20u, 60u, 100u}) {
    const Profile profile = imported(kRaw.substr(0, kRaw.size() - cut));
    REQUIRE(profile.kernels.size() == 2);
    CHECK(profile.kernels[0].counts);
    CHECK_THAT(profile.kernels[1].problem, Contains("the file ends"));
    CHECK_THAT(profile_json(profile), Contains("\"roofline\": null"));
  }
}

TEST_CASE("rocprofv3 CSV on MI300") {
  const Profile profile = imported(kAmdHeader + amd_rows(with(fp32_instructions(), kReads942)));
  REQUIRE(profile.format == "rocprofv3 csv");
  REQUIRE(profile.kernels.size() == 1);
  CHECK(profile.kernels[0].name == "kernel<float>(int, float)");
  check_amd_942(profile.kernels[0]);
  CHECK(place(*profile.kernels[0].counts).level == "fabric");
}

TEST_CASE("fabric bytes on gfx90a and gfx950, matrix work, inner levels") {
  const Profile mi200 =
      imported(kAmdHeader +
               amd_rows(with(fp32_instructions(), {{"TCC_EA_RDREQ_sum", 100},
                                                   {"TCC_EA_RDREQ_32B_sum", 40},
                                                   {"TCC_EA_WRREQ_sum", 50},
                                                   {"TCC_EA_WRREQ_64B_sum", 20},
                                                   {"TCC_EA_RDREQ_DRAM_sum", 75},
                                                   {"SQ_INSTS_VALU_MFMA_MOPS_BF16", 3},
                                                   {"SQ_INSTS_VALU_MFMA_MOPS_I8", 5},
                                                   {"TCP_TOTAL_CACHE_ACCESSES_sum", 7},
                                                   {"TCP_TCC_READ_REQ_sum", 1},
                                                   {"TCP_TCC_WRITE_REQ_sum", 2},
                                                   {"TCP_TCC_ATOMIC_WITH_RET_REQ_sum", 3},
                                                   {"TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", 4}})));
  REQUIRE(mi200.kernels.at(0).counts);
  const KernelCounts& counts = *mi200.kernels[0].counts;
  CHECK(counts.bytes.at("fabric") == 32 * 40 + 64 * 60 + 64 * 20 + 32 * 30);
  CHECK(counts.bytes.at("L2") == 640);
  CHECK(counts.bytes.at("L1") == 448);
  CHECK(counts.operations.at("bf16.matrix") == 512 * 3);
  CHECK(counts.operations.at("int8.matrix") == 512 * 5);
  CHECK(counts.flops() == 64 * 2060 + 512 * 3);
  CHECK_THAT(mi200.kernels[0].notes.at(0), Contains("75 % of the read requests"));
  const Profile mi350 =
      imported(kAmdHeader + amd_rows(with(fp32_instructions(), {{"TCC_EA0_RDREQ_32B_sum", 1},
                                                                {"TCC_EA0_RDREQ_64B_sum", 2},
                                                                {"TCC_EA0_RDREQ_128B_sum", 3},
                                                                {"TCC_EA0_WRREQ_sum", 5},
                                                                {"TCC_EA0_WRREQ_64B_sum", 4}})));
  REQUIRE(mi350.kernels.at(0).counts);
  CHECK(mi350.kernels[0].counts->bytes.at("fabric") == 32 + 128 + 384 + 256 + 32);
}

TEST_CASE("what is missing or broken in AMD output costs that kernel only") {
  const std::string good = amd_rows(with(fp32_instructions(), kReads942), 2);
  const auto first_problem = [&](std::map<std::string, double> counters) {
    const Profile profile = imported(kAmdHeader + amd_rows(counters) + good);
    REQUIRE(profile.kernels.size() == 2);
    CHECK_FALSE(profile.kernels[0].counts);
    CHECK(profile.kernels[1].counts);
    return profile.kernels[0].problem;
  };
  auto counters = with(fp32_instructions(), kReads942);
  counters.erase("TCC_BUBBLE_sum");
  CHECK_THAT(first_problem(counters), Contains("TCC_BUBBLE_sum"));
  CHECK_THAT(first_problem(fp32_instructions()), Contains("memory requests"));
  counters = with(fp32_instructions(), kReads942);
  counters["TCC_EA0_RDREQ_sum"] = -5;
  CHECK_THAT(first_problem(counters), Contains("negative"));
  const Profile cut = imported(kAmdHeader + good + "3,Agent 4,\"kern");
  REQUIRE(cut.kernels.size() == 2);
  CHECK(cut.kernels[0].counts);
  CHECK_THAT(cut.kernels[1].problem, Contains("the file ends"));
  CHECK_THAT(imported(kAmdHeader + good, {"gfx1100"}).kernels[0].problem, Contains("gfx1100"));
}

TEST_CASE("the simple estimate misses most FLOPs and all writes") {
  auto counters = with(fp32_instructions(), kReads942);
  counters["SQ_INSTS_VALU"] = 1060;
  const Work simple = simple_amd_estimate(counters);
  CHECK(simple.flops == 8 * 1060);
  CHECK(simple.bytes == 32 * 10);
  const Profile exact = imported(kAmdHeader + amd_rows(counters));
  CHECK(exact.kernels.at(0).counts->flops() > 15 * simple.flops);
  CHECK(exact.kernels.at(0).counts->bytes.at("fabric") > 50 * simple.bytes);
}

TEST_CASE("rocpd databases: suffixed tables, plain names, and the view") {
  TestDatabase suffixed("suffixed.db");
  fill_rocpd(suffixed, "_0f3a_77");
  const Profile from_tables = import_profile(suffixed.path());
  REQUIRE(from_tables.format == "rocpd");
  REQUIRE(from_tables.kernels.size() == 1);
  CHECK(from_tables.kernels[0].name == "saxpy");
  check_amd_942(from_tables.kernels[0]);

  TestDatabase plain("plain.db");
  fill_rocpd(plain, "");
  check_amd_942(import_profile(plain.path()).kernels.at(0));

  plain.run(
      "CREATE VIEW counters_collection AS SELECT d.guid guid, d.dispatch_id dispatch_id, "
      "d.agent_id "
      "agent_id, k.display_name kernel_name, i.name counter_name, SUM(e.value) value, d.start "
      "start, d.\"end\" \"end\", d.\"end\" - d.start duration FROM rocpd_pmc_event e JOIN "
      "rocpd_info_pmc i ON e.pmc_id = i.id JOIN rocpd_kernel_dispatch d ON e.event_id = d.event_id "
      "JOIN rocpd_info_kernel_symbol k ON d.kernel_id = k.id GROUP BY d.dispatch_id, i.name");
  check_amd_942(import_profile(plain.path()).kernels.at(0));
}

TEST_CASE("broken rocpd databases") {
  TestDatabase database("broken.db");
  fill_rocpd(database, "");
  database.run("UPDATE rocpd_pmc_event SET value = NULL WHERE pmc_id = 1");
  CHECK_THAT(import_profile(database.path()).kernels.at(0).problem, Contains("has no value"));
  database.run("DROP TABLE rocpd_info_pmc");
  CHECK_THROWS_WITH(import_profile(database.path()), Contains("rocpd_info_pmc"));
  database.run("DROP TABLE rocpd_pmc_event");
  CHECK_THROWS_WITH(import_profile(database.path()), Contains("contains no counters"));
  const auto cut = written("cut.db", "SQLite format 3" + std::string(1, '\0') + "garbage");
  CHECK_THROWS_AS(import_profile(cut), std::runtime_error);
}

TEST_CASE("files that are not profiles") {
  CHECK_THROWS_WITH(imported(""), Contains("empty"));
  CHECK_THROWS_WITH(imported("a,b\n1,2\n"), Contains("neither"));
  CHECK_THROWS_WITH(imported(kAmdHeader), Contains("no kernel"));
  CHECK_THROWS_WITH(import_profile("/nowhere.csv"), Contains("/nowhere.csv"));
}
