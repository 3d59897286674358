// SPDX-License-Identifier: MIT
// Compares the virtual GPU's counts for the labs' own kernels, right ones and wrong ones, with the
// counters of a real one, as written by count_labs.py.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "comparison.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* kBanks =
    "the GPU counts passes that no bank conflict explains: see the page of the virtual GPU";
constexpr const char* kAsynchronous = "asynchronous copies count apart from loads and stores there";
constexpr const char* kOneIteration =
    "nvcc does not know that the loop has one iteration: it loads the number again in every pass";
constexpr const char* kPredicated =
    "nvcc lets all lanes execute a short branch, and some ignore it";
constexpr const char* kRemainder =
    "nvcc unrolls the loop by four and begins with the remainder, where lanes with fewer rounds "
    "leave the others";
constexpr const char* kSteps = "every line counts once here, however many instructions it takes";
const std::vector<comparison::Exception> kExceptions = {
    {"load requests",
     kOneIteration,
     {"ladder, n = 4096 --passes 64", "ladder, n = 131072 --passes 16"}},
    {"load sectors",
     kOneIteration,
     {"ladder, n = 4096 --passes 64", "ladder, n = 131072 --passes 16"}},
    {"load requests",
     "nvcc loads what both branches load before it branches",
     {"stencil7, n = 192"}},
    {"load requests", kRemainder, {"ragged, n = 32768"}},
    {"load sectors", kRemainder, {"ragged, n = 32768"}},
    {"load sectors", kAsynchronous, {"attention_prefill, n = 256"}},
    {"shared load wavefronts",
     "nvcc loads the sum only in the thread that uses it",
     {"dot, n = 4194304", "sum, n = 8388608"}},
    {"shared load wavefronts",
     "nvcc keeps the 16 numbers of a loop for the next one; here, a thread remembers eight",
     {"attention_decode, n = 1024", "attention_int8, n = 1024", "attention_split, n = 4104"}},
    {"shared load wavefronts",
     kBanks,
     {"planes, n = 1048576", "stencil5_tiled, n = 2048", "fused_norm, n = 4194304",
      "separate_norm, n = 4194304 (2)", "transpose, n = 2048", "softmax_online, n = 4194304"}},
    {"shared store wavefronts",
     kBanks,
     {"dot, n = 4194304", "matmul_tiled, n = 512", "planes, n = 1048576",
      "stencil5_tiled, n = 2048", "sum, n = 8388608", "ladder, n = 4194304 --passes 4",
      "sum, n = 4194304", "fused_norm, n = 4194304", "separate_norm, n = 4194304 (2)",
      "gemm_tiled, n = 512", "token_mean, n = 16384", "transpose, n = 2048",
      comparison::kAllLaunches}},
    {"shared store wavefronts", kAsynchronous, {"attention_prefill, n = 256"}},
    {"active lanes",
     kPredicated,
     {"stencil5_tiled, n = 2048", "stencil7, n = 192", "differences, n = 4194304"}},
    {"active lanes",
     kSteps,
     {"ragged, n = 32768", "gemv, n = 4096", "gemv_int4, n = 4096", "gemv_int8, n = 4096",
      "kv_stream, n = 8192"}},
    {"L1 sectors missed",
     "which blocks share a multiprocessor is not published; here, block b runs on b mod 132",
     {"matmul, n = 512"}},
    {"L1 sectors missed",
     "which sector an H100's L1 evicts is not published; here, the least recently used one",
     {"softmax_online, n = 4194304"}},
    {"L2 sectors read",
     "which sector an H100's L1 evicts is not published; here, the least recently used one",
     {"softmax_online, n = 4194304"}},
    {"L2 sectors read",
     "the L2 request coalescer joins reads of several multiprocessors that arrive together",
     {"matmul, n = 512", "matmul_tiled, n = 512", "codebook, n = 2097152", "gemm_naive, n = 512",
      "gemm_tiled, n = 512", "gemm_registers, n = 512", "gemm_registers, n = 1024",
      "gemm_vectorised, n = 512", "gemm_vectorised, n = 1024", "repeat, n = 8388608",
      "scores, n = 1024"}},
    {"L2 sectors read", kAsynchronous, {"attention_prefill, n = 256"}},
    {"L2 sectors written",
     "an H100 joins stores to one sector on their way to L2",
     {"packed_half, n = 1048576 --iterations 64", "attention_prefill, n = 256",
      "gemv_int8, n = 4096", "gemv_mxfp4, n = 4096"}},
    {"DRAM bytes written",
     "when L2 writes back was fitted to copies on an H200; an H100 writes back more",
     {"stencil5_fast, n = 2048", "stencil5_tiled, n = 2048", "fused_norm, n = 4194304",
      comparison::kAllLaunches}},
    {"FLOPs",
     "nvcc makes multiply-adds of exponentials, divisions and roots; here they are counted as such",
     {"fused_norm, n = 4194304", "separate_norm, n = 4194304 (2)", "token_mean, n = 16384",
      "attention_split, n = 4104", "gemv_int4, n = 4096", "softmax_online, n = 4194304"}},
    {"FLOPs", "these counters leave out FP16", {"packed_half, n = 1048576 --iterations 64"}},
    {"FLOPs",
     "nvcc does the last addition only in the lane that stores the sum",
     {"ragged, n = 32768", "kv_stream, n = 8192"}},
    {"FLOPs",
     "nvcc computes once what the loop computes for every tile, and makes multiply-adds of "
     "divisions",
     {"attention_prefill, n = 256"}},
    {"time",
     "most of its instructions are integer arithmetic and branches, which are not counted",
     {"ladder, n = 4096 --passes 64", "ladder, n = 131072 --passes 16", "gemv_mxfp4, n = 4096",
      "matmul, n = 512"}},
    {"time",
     "64 sums of a thread are independent; here, each instruction waits for the one before",
     {"gemm_vectorised, n = 512", "gemm_vectorised, n = 1024"}},
    {"time",
     "its products are independent; here, each instruction waits for the one before",
     {"attention_prefill, n = 256", "attention_decode, n = 1024"}},
    {comparison::kRanks,
     "above all, the launches whose integer arithmetic is not counted are predicted among shorter "
     "ones",
     {comparison::kAllLaunches}},
};

/// A line of labs.txt, with the counters of its launches.
struct Lab {
  std::string topic, program, entry, n, variant, options;
  std::vector<comparison::Counters> launches{};

  std::string name() const {
    return entry + ", n = " + n + (variant == "-" ? "" : ", " + variant) + options;
  }
  fs::path checked_program(const fs::path& build) const {
    const fs::path bin = build / "bin";
    return (variant == "-" ? bin / "solutions"
                           : bin / "tests" / "wrong" / topic / program / variant) /
           topic / (program + "-checked");
  }
};

Lab lab_of(const std::string& line) {
  Lab lab;
  std::istringstream words(line);
  words >> lab.topic >> lab.program >> lab.entry >> lab.n >> lab.variant;
  if (!words) throw std::runtime_error("this is no line of labs.txt: " + line);
  std::getline(words, lab.options);
  return lab;
}

std::vector<Lab> labs_of(const std::string& file) {
  const base::CsvTable table = base::parse_csv(base::read_file(file));
  std::vector<Lab> labs;
  for (const base::CsvRow& row : table.rows) {
    if (row.front() == "ID") continue;
    if (row.front() == "lab") {
      labs.push_back(lab_of(row.at(1)));
    } else if (!labs.empty()) {
      labs.back().launches.push_back(comparison::counters_of(table.rows.front(), row));
    }
  }
  return labs;
}

struct Options : comparison::Options {
  std::string build, folder;
};

/// Runs the checked program, unless its profile already exists.
vgpu::Profile profile_of(const Options& options, const Lab& lab, std::size_t number,
                         const fs::path& geometry) {
  const fs::path kept = fs::path(options.folder) / (std::to_string(number) + ".json");
  if (!fs::exists(kept)) {
    const int registers = static_cast<int>(lab.launches.front().at("launch__registers_per_thread"));
    const std::string command =
        fmt::format("'{}' --profile --entry {} --n {} --registers {} --geometry '{}' --out '{}'{}",
                    lab.checked_program(options.build).string(), lab.entry, lab.n, registers,
                    geometry.string(), kept.string(), lab.options);
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  }
  return vgpu::profile_from_json(base::read_file(kept));
}

std::vector<comparison::Row> measure(const Options& options) {
  const comparison::Machine machine = comparison::load_machine(options.machine, options.measured);
  const std::vector<comparison::Figure> figures = comparison::figures(machine);
  fs::create_directories(options.folder);
  const fs::path geometry = fs::path(options.folder) / "geometry.json";
  base::write_file_atomically(geometry, vgpu::to_json(roofline::geometry_of(machine.machine)));
  const std::vector<Lab> labs = labs_of(options.counters);
  std::vector<comparison::Row> rows;
  for (std::size_t i = 0; i < labs.size(); ++i) {
    const Lab& lab = labs[i];
    if (!options.only.empty() &&
        std::ranges::find(options.only, lab.program) == options.only.end()) {
      continue;
    }
    fmt::print(stderr, "{} of {}: {}\n", i + 1, labs.size(), lab.name());
    const vgpu::Profile profile = profile_of(options, lab, i, geometry);
    if (profile.launches.size() != lab.launches.size()) {
      throw std::runtime_error(fmt::format("{} launches {} kernels here, and {} on the GPU",
                                           lab.name(), profile.launches.size(),
                                           lab.launches.size()));
    }
    for (std::size_t k = 0; k < lab.launches.size(); ++k) {
      const std::string which = lab.launches.size() == 1 ? "" : fmt::format(" ({})", k + 1);
      comparison::add_rows(rows, figures, lab.name() + which, profile.launches[k], lab.launches[k]);
    }
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Compares the labs' kernels on the virtual GPU with a real one's counters.");
  comparison::add_options(app, options);
  app.add_option("--build", options.build, "The build tree with the checked programs");
  app.add_option("--folder", options.folder,
                 "For profiles; those that are there are not taken again");
  CLI11_PARSE(app, argc, argv);
  return comparison::compare("compare-labs", options, kExceptions,
                             [&] { return measure(options); });
}
