// SPDX-License-Identifier: MIT
// bench-peaks: the reference kernels of topic 02 and topic 01's fast stencil, alternating with the
// loops of `roofline measure --quick` for several rounds: the data of sections 2.17 and 1.11 of the
// write-ups. It compares best rates, which other programs on the machine disturb least: shortest
// times, and the 95th percentile of rates.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/measurement.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 5;
constexpr std::size_t kPairs = 4;

/// A lab's reference kernel, and the roof for the same work.
struct Pair {
  const char* kernel;
  const char* program;    ///< relative to bin/solutions
  const char* arguments;  ///< of the program
  const char* work;       ///< the unit of work in its record
  const char* roof;
  std::vector<double> reference{};
  std::vector<double> native{};
};

void run(const std::string& command) {
  if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) {
    throw std::runtime_error("failed: " + command);
  }
}

double lab_rate(const fs::path& programs, const Pair& pair, const fs::path& record) {
  run((programs / pair.program).string() + " " + pair.arguments + " --json " + record.string());
  std::ifstream file(record);
  const nlohmann::json json = nlohmann::json::parse(file);
  return json.at(pair.work).get<double>() / json.at("seconds").at("minimum").get<double>();
}

double roof_rate(const roofline::Report& report, const std::string& name) {
  const auto found = std::find_if(report.roofs.begin(), report.roofs.end(),
                                  [&](const auto& roof) { return roof.name == name; });
  if (found == report.roofs.end()) throw std::runtime_error("no roof named " + name);
  return found->rate.percentile_95;
}

void run_rounds(const fs::path& bin, std::array<Pair, kPairs>& pairs) {
  const fs::path file =
      fs::temp_directory_path() / ("bench-peaks-" + std::to_string(::getpid()) + ".json");
  for (int round = 0; round < kRounds; ++round) {
    run((bin / "roofline").string() + " measure --quick --out " + file.string());
    const roofline::Report report = roofline::read_report(file);
    for (Pair& pair : pairs) {
      pair.native.push_back(roof_rate(report, pair.roof));
      pair.reference.push_back(lab_rate(bin / "solutions", pair, file));
    }
  }
  fs::remove(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench-peaks BUILD/bin   (with the course built)\n");
    return 2;
  }
  std::array<Pair, kPairs> pairs{
      {{"triad", "02-peaks/stream", "--entry triad --n 16777216 --repeats 30", "bytes_moved",
        "triad.ordinary"},
       {"sum", "02-peaks/sum", "--n 16777216 --repeats 30", "bytes_moved", "read"},
       {"fma_chains", "02-peaks/fma_chains", "--n 16384 --repeats 60", "flops", "fp32.vector"},
       {"stencil5_fast", "01-ai-basics/stencil5_fast", "--n 6144 --repeats 30", "bytes_moved",
        "triad"}}};
  try {
    run_rounds(argv[1], pairs);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-peaks: %s\n", error.what());
    return 1;
  }
  std::printf("kernel,rounds,reference,native\n");
  for (const Pair& pair : pairs) {
    std::printf("%s,%d,%.4g,%.4g\n", pair.kernel, kRounds,
                roofline::summarize(pair.reference).median,
                roofline::summarize(pair.native).median);
  }
  return 0;
}
