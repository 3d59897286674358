// SPDX-License-Identifier: MIT
// The output of other benchmarks, read as roofs to compare with ours.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "roofline/measurement.hpp"

namespace roofline {

/// One result of another benchmark.
struct BenchFigure {
  std::string name;  ///< the benchmark's name for it
  RoofKind kind = RoofKind::kBandwidth;
  double rate = 0;        ///< B/s, FLOP/s (OP/s), or s for a latency; the best one of a sweep
  std::string our_roof;   ///< the name of the roof of `roofline measure` that measures the same
  bool integers = false;  ///< OP/s
};

/// A benchmark's output.
struct BenchOutput {
  std::string tool;    ///< "BabelStream", "mixbench", "gpu-stream" ...
  std::string device;  ///< empty if the output does not name it
  std::vector<BenchFigure> figures;
  std::vector<std::string> notes;  ///< what the results count, if it differs from ours
};

/// Reads the output of BabelStream, mixbench, gpu-benches (gpu-stream, gpu-roofline, gpu-l2-cache),
/// clpeak, nvbandwidth or rocm_bandwidth_test, recognised by its content. If several devices were
/// measured, the first counts. Throws std::runtime_error, naming the file, for anything else and
/// for output without results.
BenchOutput read_bench(const std::filesystem::path& file);

}  // namespace roofline
