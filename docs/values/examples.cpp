// SPDX-License-Identifier: MIT
// Results of worked examples of topics 03 and 04 that no other number of their sections states.

#include <algorithm>
#include <cmath>
#include <string>

#include "base/csv.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/communication.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/measurement.hpp"
#include "roofline/profile.hpp"
#include "roofline/transformer.hpp"
#include "shared.hpp"
#include "value.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::Sources;
using roofline::Operation;
using roofline::Precision;

using namespace base::prefixes;

roofline::Roof h200(const Sources& s) {
  return roofline::roof_of(s.machine("h200-sxm"), Precision::kBf16);
}

// --- 3.1: a layer of 4096 x 4096 in FP16, one token and a prompt ---

struct Times {
  double arithmetic;
  double memory;
};
Times layer_times(const Sources& s, double tokens) {
  const Operation layer = roofline::linear(tokens, 4096, 4096);
  return {layer.flops / h200(s).flops_per_second, layer.bytes() / h200(s).bytes_per_second};
}
DOC_FORMULA("ex.03.why.token_flop_us", fixed(layer_times(s, 1).arithmetic / kMicro, 2))
DOC_FORMULA("ex.03.why.token_us", fixed(layer_times(s, 1).memory / kMicro, 1))
DOC_FORMULA("ex.03.why.prompt_us", fixed(layer_times(s, 2048).arithmetic / kMicro, 1))
DOC_FORMULA("ex.03.why.prompt_byte_us", fixed(layer_times(s, 2048).memory / kMicro, 1))

// --- 3.2 and 3.5: the two kernels of roofline.cu, 2^26 elements ---

constexpr double kElements = 1 << 26, kSaxpyBytes = 12 * kElements, kChainFlops = 2048 * kElements;
double program(const Sources& s, const char* name, const char* column) {
  return kGiga * s.measured_number("roofline_program_h200.csv", {{"name", name}}, column);
}
double saxpy_rate(const Sources& s) {
  return program(s, "saxpy", "gb_per_s");
}
double chain_rate(const Sources& s) {
  return program(s, "fma 1024", "gflop_per_s");
}
double measured_triad(const Sources& s) {
  return roofline::load_machine(s.measured("h200_roofs.json")).streams.at("triad");
}
DOC_FORMULA("ex.03.saxpy.mb", fixed(kSaxpyBytes / kMega, 1))
DOC_FORMULA("ex.03.saxpy.bound_us", fixed(kSaxpyBytes / h200(s).bytes_per_second / kMicro, 1))
DOC_FORMULA("ex.03.saxpy.predicted_us", fixed(kSaxpyBytes / measured_triad(s) / kMicro, 1))
DOC_FORMULA("ex.03.saxpy.measured_us", fixed(kSaxpyBytes / saxpy_rate(s) / kMicro, 1))
DOC_FORMULA("ex.03.saxpy.triad_gb_s", fixed(measured_triad(s) / kGiga, 0))
DOC_FORMULA("ex.03.chain.gflop", fixed(kChainFlops / kGiga, 1))
DOC_FORMULA("ex.03.chain.ms", fixed(kChainFlops / chain_rate(s) / kMilli, 2))

// --- 3.7: the sweep's second point ---

DOC_FORMULA("ex.03.sweep.slope", fixed(2.5 * saxpy_rate(s) / kGiga, 0))
DOC_FORMULA("ex.03.sweep.predicted_us", fixed(8 * kElements / saxpy_rate(s) / kMicro, 0))
DOC_VALUE("ex.03.sweep.measured_us", [](const Sources& s) {
  const double rate =
      kGiga * s.measured_number("roofline_sweep_h200.csv", {{"iterations", "10"}}, "gb_per_s");
  return fixed(8 * kElements / rate / kMicro, 0);
})

// --- 3.11, 3.12, 3.14: kernels as profiled ---

roofline::KernelCounts profiled(const Sources& s, const std::string& name) {
  const auto file =
      s.data().parent_path() / "topics/03-roofline-modeling/profiles/kernels_h200.csv";
  for (const auto& kernel : roofline::import_profile(file).kernels) {
    if (kernel.name.find(name) != std::string::npos && kernel.counts) return *kernel.counts;
  }
  throw std::runtime_error("kernels_h200.csv has no kernel " + name);
}
constexpr double kProfiledBytes = 12.0 * (1 << 25);
DOC_FORMULA("ex.03.chart.formula_mb", fixed(kProfiledBytes / kMega, 1))
DOC_FORMULA("ex.03.chart.mb", fixed(profiled(s, "Saxpy").bytes.at("DRAM") / kMega, 1))
DOC_FORMULA("ex.03.chart.left_mb",
            fixed((kProfiledBytes - profiled(s, "Saxpy").bytes.at("DRAM")) / kMega, 1))

/// Percent of the roof at DRAM's intensity, with the roofs of 3.10.
std::string percent_of_roof(const Sources& s, const std::string& kernel) {
  const roofline::Machine measured = roofline::load_machine(s.measured("h200_roofs.json"));
  const roofline::Roof roof{roofline::best_peak(measured, Precision::kFp32).operations_per_second,
                            measured.streams.at("read")};
  const roofline::ProfilePoint point = roofline::place(profiled(s, kernel));
  return fixed(100 * point.flops_per_second / roofline::attainable(roof, point.intensity), 0);
}
DOC_FORMULA("ex.03.ladder.naive", percent_of_roof(s, "gemm_naive_kernel"))
DOC_FORMULA("ex.03.ladder.tiled", percent_of_roof(s, "gemm_tiled_kernel"))
DOC_FORMULA("ex.03.ladder.registers", percent_of_roof(s, "gemm_registers_kernel"))

constexpr double kPico = 1e-12;
constexpr double kFlopEnergy = 0.3 * kPico, kByteEnergy = 20 * kPico;  // as 3.14 assumes
DOC_FORMULA("ex.03.energy.flop_mj",
            fixed(profiled(s, "gemm_naive_kernel").flops() * kFlopEnergy / kMilli, 0))
DOC_FORMULA("ex.03.energy.byte_mj",
            fixed(profiled(s, "gemm_naive_kernel").bytes.at("DRAM") * kByteEnergy / kMilli, 0))
DOC_FORMULA("ex.03.energy.least_mj",
            fixed(roofline::gemm(4096, 4096, 4096, Precision::kFp32).bytes() * kByteEnergy / kMilli,
                  0))

// --- 3.12: the transposition of 4096 x 4096 ---

DOC_FORMULA("ex.03.transpose.mb", fixed(8.0 * 4096 * 4096 / kMega, 1))
DOC_VALUE("ex.03.transpose.us", [](const Sources& s) {
  const double copy =
      kGiga *
      s.measured_number("h200_peaks.csv", {{"program", "copy"}, {"n", "67108864"}}, "gb_per_s");
  return fixed(8.0 * 4096 * 4096 / copy / kMicro, 1);
})

// --- 3.15: 60 MB among six ---

double ring_us(double latency) {
  return roofline::collective_seconds(roofline::Collective::kAllReduce, 60 * kMega, 6,
                                      {latency, 450 * kGiga}) /
         kMicro;
}
DOC_FORMULA("ex.03.ring.us", fixed(ring_us(0), 1))
DOC_FORMULA("ex.03.ring.latency_us", fixed(ring_us(2 * kMicro), 1))

// --- 3.16: Adam's stream ---

constexpr double kAdamBytes = 12 + 12 + 4 + 2;  // state read and written, gradient, BF16 weight
DOC_FORMULA("ex.03.adam.ps", fixed(kAdamBytes / h200(s).bytes_per_second / kPico, 2))
DOC_FORMULA("ex.03.adam.tokens",
            fixed(kAdamBytes / h200(s).bytes_per_second / (6 / h200(s).flops_per_second), 0))

// --- 4.2: what a step of Llama-3.1-8B reads ---

llm::Model llama(const Sources& s) {
  return s.model("llama-3.1-8b");
}
double streamed(const Sources& s) {
  return llm::streamed_weight_bytes(llama(s), llm::stored_formats(llama(s)), 1);
}
double stored(const Sources& s) {
  return llm::weight_bytes(llama(s), llm::stored_formats(llama(s)));
}
double cache(const Sources& s, double tokens) {
  return llm::kv_bytes(llama(s), llm::stored_formats(llama(s)), tokens);
}
DOC_FORMULA("ex.04.stored_gb", fixed(stored(s) / kGiga, 2))
DOC_FORMULA("ex.04.table_gb", fixed((stored(s) - streamed(s)) / kGiga, 2))
DOC_FORMULA("ex.04.table_percent", fixed(100 * (1 - streamed(s) / stored(s)), 1))
DOC_FORMULA("ex.04.layer_millions",
            fixed(static_cast<double>(llm::count_parameters(llama(s)).matrices) / 32 / kMega, 1))
DOC_FORMULA("ex.04.layers_billions",
            fixed(static_cast<double>(llm::count_parameters(llama(s)).matrices) / kGiga, 2))

// --- 4.4: the down projection's critical batch ---

DOC_FORMULA("ex.04.critical.down",
            fixed(roofline::critical_batch({14336, 4096, 2, 2}, roofline::ridge(h200(s))).value(),
                  0))

// --- 4.6: two parts of a softmax, 2 and 6, 3 and 8 ---

double part_sum(double a, double b) {
  return std::exp(std::min(a, b) - std::max(a, b)) + 1;
}
DOC_FORMULA("ex.04.merge.first", fixed(part_sum(2, 6), 3))
DOC_FORMULA("ex.04.merge.second", fixed(part_sum(3, 8), 4))
DOC_FORMULA("ex.04.merge.both", fixed(part_sum(2, 6) * std::exp(6.0 - 8.0) + part_sum(3, 8), 3))

// --- 4.8: two tokens, eight of 128 experts each ---

DOC_FORMULA("ex.04.moe.two", fixed(llm::distinct_experts(128, 8, 2), 1))

// --- 4.9: Gemma-2-9B at 16,384 tokens ---

DOC_VALUE("ex.04.windows.gb", [](const Sources& s) {
  const llm::Model gemma = s.model("gemma-2-9b");
  return fixed(llm::kv_bytes(gemma, llm::stored_formats(gemma), 16384) / kGiga, 2);
})

// --- 4.10: drafts of one token ---

DOC_FORMULA("ex.04.mtp.speedup", fixed((1 + 0.7) / (1 + 0.04), 2))

// --- 4.15: two tokens with score 0, and one with score 1 ---

DOC_FORMULA("ex.04.split.lse", fixed(std::log(2.0), 2))
double first_weight() {
  return 2 / (2 + std::exp(1.0));
}
DOC_FORMULA("ex.04.split.first", fixed(first_weight(), 2))
DOC_FORMULA("ex.04.split.second", fixed(1 - first_weight(), 2))

// --- 4.17: batch 64 at context 4096, fewer bits for weights or for the cache ---

double caches(const Sources& s) {
  return 64 * cache(s, 4096);
}
DOC_FORMULA("ex.04.guide.caches_gb", fixed(caches(s) / kGiga, 1))
DOC_FORMULA("ex.04.guide.weights",
            fixed((streamed(s) + caches(s)) / (streamed(s) / 4 + caches(s)), 2))
DOC_FORMULA("ex.04.guide.cache",
            fixed((streamed(s) + caches(s)) / (streamed(s) + caches(s) / 2), 2))

// --- 4.19: the first row of the engine's steps on a GPU ---

double engine_cell(const Sources& s, const char* column) {
  return std::stod(base::CsvFile(s.measured("h100_engine_steps.csv")).field(0, column));
}
DOC_FORMULA("ex.04.engine.gb", fixed(engine_cell(s, "bytes") / kGiga, 2))
DOC_FORMULA("ex.04.engine.predicted_ms", fixed(engine_cell(s, "predicted_ms"), 2))
DOC_FORMULA("ex.04.engine.measured_ms", fixed(engine_cell(s, "median_ms"), 2))

}  // namespace
