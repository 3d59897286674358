// SPDX-License-Identifier: MIT
// bench-references: the fraction of this machine's roofs that every lab's reference reaches, as a
// table.
//
// The roofs are measured again before and after each lab, and the time that they allow is that of
// the grader: the longer of FLOPs / FP32 peak and bytes / DRAM bandwidth. As in bench-peaks, best
// rates are compared: other programs disturb them least. Exits with 1 if a reference reaches less
// than 70 % and kReasons does not explain why.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"

namespace {

namespace fs = std::filesystem;

constexpr double kEnough = 0.7;

// What takes the time instead, according to a sampling profiler: the instruction that waits, or
// functions other than the kernel's own.
constexpr const char* kFibers = "fibers: at a barrier every thread of a block is switched to";
constexpr const char* kStores = "ordinary stores fetch the line that they replace";
constexpr const char* kStream = "waits for loads; held against the best stream of any mix";
constexpr const char* kApart = "waits for loads: pieces of 16 bytes that lie apart";
constexpr const char* kChain = "a thread's sum is one chain of additions, and threads take turns";
constexpr const char* kFragments = "a matrix unit's fragments are loops over their elements";
constexpr const char* kHalves = "FP16 arithmetic is made of integer instructions";
constexpr const char* kHeads = "widening BF16, and sums of four heads that do not fit registers";
constexpr const char* kTile =
    "the tile is of a GPU's registers: nothing stays in this core's caches";

/// Entries limited by neither of the two roofs.
const std::map<std::string, std::string> kReasons{
    {"01-ai-basics/dot", kStream},
    {"01-ai-basics/embedding", kApart},
    {"01-ai-basics/matmul", kChain},
    {"01-ai-basics/matmul_tiled", kFibers},
    {"01-ai-basics/planes", kFibers},
    {"01-ai-basics/pool", kFibers},
    {"01-ai-basics/stencil5", "short rows of threads: index arithmetic and masked vectors"},
    {"01-ai-basics/stencil5_tiled", kFibers},
    {"01-ai-basics/stencil7", "short rows of threads: index arithmetic and masked vectors"},
    {"01-ai-basics/sum", kStream},
    {"02-peaks/codebook", kFibers},
    {"02-peaks/copy", kStores},
    {"02-peaks/differences", kFibers},
    {"02-peaks/few_threads", kApart},
    {"02-peaks/gemm", "OpenBLAS takes its SSE3 kernels on a processor that it does not know"},
    {"02-peaks/matrix", kHalves},
    {"02-peaks/packed_half", kHalves},
    {"02-peaks/scale", kStores},
    {"03-roofline-modeling/gemm_naive", kChain},
    {"03-roofline-modeling/gemm_registers", kTile},
    {"03-roofline-modeling/gemm_tiled", kFibers},
    {"03-roofline-modeling/gemm_vectorised", kTile},
    {"03-roofline-modeling/histogram", "an atomic addition for every element"},
    {"03-roofline-modeling/ragged", kFibers},
    {"03-roofline-modeling/repeat", kStores},
    {"03-roofline-modeling/rope", kStream},
    {"03-roofline-modeling/scores", kFibers},
    {"03-roofline-modeling/token_mean", kApart},
    {"03-roofline-modeling/transpose", kFibers},
    {"04-llm-inference/attention_decode", kHeads},
    {"04-llm-inference/attention_int8",
     "a team's lanes take turns: scores go through memory one by one"},
    {"04-llm-inference/attention_paged", kHeads},
    {"04-llm-inference/attention_prefill", kFragments},
    {"04-llm-inference/attention_split", kHeads},
    {"04-llm-inference/decode_graph", kStream},
    {"04-llm-inference/decode_loop", kStream},
    {"04-llm-inference/gemv", kStream},
    {"04-llm-inference/gemv_batch", "widening FP16 takes as many instructions as the products"},
    {"04-llm-inference/gemv_half", kStream},
    {"04-llm-inference/gemv_int4", "unpacking codes of four bits"},
    {"04-llm-inference/gemv_mxfp4", "every block of 32 weights ends in a sum across a vector"},
    {"04-llm-inference/kv_stream", kStream},
    {"04-llm-inference/moe_product", kFragments},
    {"04-llm-inference/softmax_online", "exponentials, which neither roof counts"},
};

void run(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

/// One entry of a lab program at its default size.
struct Row {
  std::string n;
  roofline::Work work;
  std::vector<double> rates{};   ///< 1/s
  std::vector<double> shares{};  ///< fraction of the rate that the roofs allow
};

class Table {
 public:
  explicit Table(fs::path bin) : bin_(std::move(bin)) {}

  void measure(int rounds) {
    std::vector<fs::path> programs;
    for (const auto& file : fs::recursive_directory_iterator(bin_ / "solutions")) {
      if (is_lab(file.path())) programs.push_back(file.path());
    }
    std::sort(programs.begin(), programs.end());
    run(measure_command() + " --out " + roofs_.string() + " >/dev/null 2>&1");
    int done = 0;
    for (int round = 0; round < rounds; ++round) {
      roofline::Roof before = measure_roofs();
      for (const fs::path& program : programs) {
        std::fprintf(stderr, "[%d/%zu] %s\n", ++done,
                     static_cast<std::size_t>(rounds) * programs.size(),
                     program.filename().c_str());
        run(program.string() + " --csv --repeats 10 >" + file_.string());
        const base::CsvFile csv(file_);
        const roofline::Roof after = measure_roofs();
        add(program.parent_path().filename().string(), csv,
            {(before.flops_per_second + after.flops_per_second) / 2,
             (before.bytes_per_second + after.bytes_per_second) / 2});
        before = after;
      }
    }
    fs::remove(file_);
    fs::remove(roofs_);
  }

  /// @return how many references reach too little without an explanation
  int print() const {
    int unexplained = 0;
    std::printf("# command: bench-references build/cpu/bin\n# machine: %s\n", machine_.c_str());
    std::printf("%-42s %10s %9s %9s %8s  of the roof\n", "reference", "n", "GB/s", "GFLOP/s",
                "limit");
    for (const auto& [name, row] : rows_) {
      const double share = roofline::summarize(row.shares).median;
      const double rate = roofline::summarize(row.rates).median;
      const auto reason = kReasons.find(name);
      const bool is_enough = share >= kEnough;
      if (!is_enough && reason == kReasons.end()) ++unexplained;
      std::printf("%-42s %10s %9.3g %9.3g %8s  %3.0f %%%s%s\n", name.c_str(), row.n.c_str(),
                  rate * row.work.bytes / 1e9, rate * row.work.flops / 1e9,
                  roofline::to_string(limit(row)), 100 * share, is_enough ? "" : "  ",
                  is_enough                  ? ""
                  : reason == kReasons.end() ? "NO REASON GIVEN"
                                             : reason->second.c_str());
    }
    return unexplained;
  }

 private:
  /// Solutions include labs, functions, answers and topic 03's program; only labs have a size.
  static bool is_lab(const fs::path& file) {
    const std::string name = file.filename().string();
    return fs::is_regular_file(file) && file.parent_path().filename() != "90-course" &&
           name != "formulas" && name != "answers" && name != "roofline" &&
           !name.ends_with("-checked");
  }

  /// Measures only the roofs that are used, because they are measured again between any two labs.
  std::string measure_command() const {
    return (bin_ / "roofline").string() + " measure --quick --only read copy triad fp32.vector";
  }

  /// A short measurement: a lab takes seconds, and the machine's load changes as quickly.
  roofline::Roof measure_roofs() {
    run(measure_command() + " --like " + roofs_.string() + " --out " + file_.string() +
        " >/dev/null 2>&1");
    roofline::Report report = roofline::read_report(file_);
    for (roofline::MeasuredRoof& roof : report.roofs) roof.rate.median = roof.rate.percentile_95;
    machine_ = report.device.name + ", " + std::to_string(report.device.units) + " units; " +
               report.build.compiler + "; " + report.started;
    const roofline::Machine machine = roofline::machine_from_report(report);
    roof_ = {roofline::best_peak(machine, roofline::Precision::kFp32).operations_per_second,
             roofline::bandwidth(machine)};
    return roof_;
  }

  void add(const std::string& topic, const base::CsvFile& csv, const roofline::Roof& roof) {
    for (std::size_t i = 0; i < csv.size(); ++i) {
      const double seconds = std::stod(csv.field(i, "seconds_min"));
      const double median = std::stod(csv.field(i, "seconds_median"));  // the basis of the rates
      const roofline::Work work{std::stod(csv.field(i, "gflop_per_s")) * 1e9 * median,
                                std::stod(csv.field(i, "gb_per_s")) * 1e9 * median};
      Row& row = rows_[topic + "/" + csv.field(i, "program")];
      row.n = csv.field(i, "n");
      row.work = work;
      row.rates.push_back(1 / seconds);
      row.shares.push_back(allowed_seconds(roof, work) / seconds);
    }
  }

  static double allowed_seconds(const roofline::Roof& roof, const roofline::Work& work) {
    return std::max(work.flops / roof.flops_per_second, work.bytes / roof.bytes_per_second);
  }
  roofline::Bound limit(const Row& row) const {
    return row.work.flops / roof_.flops_per_second > row.work.bytes / roof_.bytes_per_second
               ? roofline::Bound::kCompute
               : roofline::Bound::kMemory;
  }

  fs::path bin_;
  fs::path file_ =
      fs::temp_directory_path() / ("bench-references-" + std::to_string(::getpid()) + ".tmp");
  fs::path roofs_ =
      fs::temp_directory_path() / ("bench-references-" + std::to_string(::getpid()) + ".roofs");
  std::string machine_;
  roofline::Roof roof_;
  std::map<std::string, Row> rows_;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 3 ? std::atoi(argv[2]) : 3;
  if ((argc != 2 && argc != 3) || rounds < 1) {
    std::fprintf(stderr, "usage: bench-references BUILD/bin [ROUNDS]   (with the course built)\n");
    return 2;
  }
  try {
    Table table(argv[1]);
    table.measure(rounds);
    return table.print() == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-references: %s\n", error.what());
    return 1;
  }
}
