// SPDX-License-Identifier: MIT
// Numbers in the folded answers of the topics.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/model.hpp"
#include "roofline/machine.hpp"
#include "value.hpp"
#include "vgpu/geometry.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::Sources;

using namespace base::prefixes;

// --- Topic 01: a grid of 33 x 49 points, a product of 48 x 96 with sums of 144 ---

constexpr int kRows = 33, kColumns = 49;
constexpr int kInside = (kRows - 2) * (kColumns - 2);
constexpr int kBorder = kRows * kColumns - kInside;
DOC_FORMULA("q.01.inside", fmt::to_string(kInside))
DOC_FORMULA("q.01.additions", fmt::to_string(4 * kInside))
DOC_FORMULA("q.01.border", fmt::to_string(kBorder))
DOC_FORMULA("q.01.loads", fmt::to_string(5 * kInside + kBorder))
DOC_FORMULA("q.01.stores", fmt::to_string(kInside + kBorder))

std::string stencil_rate(const Sources& s, const std::string& kernel) {
  return fixed(s.measured_number("topic01_h200.csv", {{"kernel", kernel}}, "gb_per_s"), 0);
}
DOC_FORMULA("q.01.naive_gb_s", stencil_rate(s, "stencil5"))
DOC_FORMULA("q.01.tiled_gb_s", stencil_rate(s, "stencil5_tiled"))

constexpr int kTreeLevels = 5;
/// Additions per element if a thread adds up k elements before a tree of 32 lanes.
double tree_additions(int k) {
  return static_cast<double>(k - 1 + kTreeLevels) / k;
}
DOC_VALUE("q.01.tree_limit", [](const Sources&) {
  int k = 1;
  while (tree_additions(k) > 2) ++k;
  return fmt::to_string(k);
})
DOC_FORMULA("q.01.tree_64", fixed(tree_additions(64), 2))

constexpr int kProducts = 48 * 96 * 144;
DOC_FORMULA("q.01.naive_loads", fmt::to_string(2 * kProducts))
DOC_FORMULA("q.01.tiled_loads", fmt::to_string(2 * kProducts / 16))
DOC_FORMULA("q.01.product_flops", fmt::to_string(2 * kProducts))

DOC_VALUE("q.01.batch_percent", [](const Sources&) {
  const auto bytes = [](double batch) {
    return roofline::gemm(batch, 4096, 4096, roofline::Precision::kFp16).bytes();
  };
  return fixed(100 * (bytes(64) / bytes(1) - 1), 0);
})

// --- Topic 02 ---

constexpr double kSaxpyBytes = 12.0 * (1 << 26);
DOC_FORMULA("q.02.saxpy_mb", fixed(kSaxpyBytes / kMega, 0))
DOC_VALUE("q.02.saxpy_us", [](const Sources& s) {
  const double rate = s.measured_number("saxpy_h200.csv", {{"kernel", "four elements per thread"}},
                                        "gb_per_s_median");
  return fixed(kSaxpyBytes / (rate * kGiga) / kMicro, 0);
})

/// Rate with this number of chains, in percent of the highest rate.
std::string chain_percent(const Sources& s, const std::string& chains) {
  const auto rate = [&](const std::string& count) {
    return s.measured_number("h200_fma_chains.csv", {{"chains", count}}, "gflop_per_s");
  };
  double most = 0;
  for (const char* count : {"1", "2", "4", "8", "16", "32", "64", "96", "128", "192"}) {
    most = std::max(most, rate(count));
  }
  return fixed(100 * rate(chains) / most, 0);
}
DOC_FORMULA("q.02.chain1", chain_percent(s, "1"))
DOC_FORMULA("q.02.chain2", chain_percent(s, "2"))
DOC_FORMULA("q.02.chain4", chain_percent(s, "4"))

/// Percent of an H200's time that is filled in the figure of waves, if there is one block more than
/// `waves - 1` waves hold.
std::string filled_percent(const Sources& s, int waves) {
  const vgpu::Geometry geometry = roofline::geometry_of(s.machine("h200-sxm"));
  constexpr int kThreads = 256, kRegisters = 64, kMany = 1200;
  const int at_once =
      vgpu::occupancy(geometry, kThreads, 0, kRegisters, kMany).blocks * geometry.multiprocessors;
  const double blocks = (waves - 1.0) * at_once + 1;
  return fixed(100 * blocks / (waves * at_once), 0);
}
DOC_FORMULA("q.02.waves_2", filled_percent(s, 2))
DOC_FORMULA("q.02.waves_3", filled_percent(s, 3))

// --- Topic 03 ---

/// Ridges of FP32 on the vector units of all machines of data/machines.
std::vector<double> fp32_ridges(const Sources& s) {
  std::vector<double> ridges;
  for (const auto& entry : std::filesystem::directory_iterator(s.data() / "machines")) {
    if (entry.path().extension() != ".toml") continue;
    const roofline::Machine machine = s.machine(entry.path().stem().string());
    const roofline::Peak* peak =
        roofline::find_peak(machine, roofline::Precision::kFp32, roofline::Unit::kVector);
    if (peak == nullptr) continue;
    ridges.push_back(roofline::ridge({peak->operations_per_second, roofline::bandwidth(machine)}));
  }
  return ridges;
}
DOC_VALUE("q.03.least_ridge", [](const Sources& s) {
  const std::vector<double> ridges = fp32_ridges(s);
  return fixed(*std::min_element(ridges.begin(), ridges.end()), 0);
})
DOC_VALUE("q.03.most_ridge", [](const Sources& s) {
  const std::vector<double> ridges = fp32_ridges(s);
  return fixed(*std::max_element(ridges.begin(), ridges.end()), 0);
})
DOC_VALUE("q.03.memory_rows", [](const Sources& s) {
  const char* file = "roofline_program_h200.csv";
  const double ridge = s.measured_number(file, {{"name", "fma 1024"}}, "gflop_per_s") /
                       s.measured_number(file, {{"name", "saxpy"}}, "gb_per_s");
  int rows = 0;
  for (double intensity = 0.125; intensity <= 32; intensity *= 2) rows += intensity < ridge ? 1 : 0;
  return fmt::to_string(rows);
})
DOC_VALUE("q.03.tiled_gain", [](const Sources& s) {
  const auto rate = [&](const char* program) {
    return s.measured_number("roofline_gemm_h200.csv", {{"program", program}, {"n", "4096"}},
                             "gflop_per_s");
  };
  return fixed(rate("gemm_tiled") / rate("gemm_naive"), 1);
})

// --- Topic 04 ---

/// Keys and values of 8 heads of 128 numbers for 8192 tokens, in 16 bits.
constexpr double kLayerBytes = 2.0 * 2 * 8 * 128 * 8192;
DOC_FORMULA("q.04.layer_mb", fixed(kLayerBytes / kMega, 1))
DOC_VALUE("q.04.layer_us", [](const Sources& s) {
  const roofline::Machine machine = roofline::load_machine(s.measured("h200_roofs_quick.json"));
  return fixed(kLayerBytes / machine.streams.at("read") / kMicro, 1);
})
DOC_VALUE("q.04.batch_gain", [](const Sources& s) {
  const llm::Model model = s.model("llama-3.1-8b");
  const auto rate = [&](double batch) {
    return batch / llm::decode_floor_seconds(model, llm::stored_formats(model), batch, 4096,
                                             roofline::bandwidth(s.machine("h200-sxm")));
  };
  return fixed(100 * (rate(128) / rate(64) - 1), 0);
})

}  // namespace
