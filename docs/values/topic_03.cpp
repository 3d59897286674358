// SPDX-License-Identifier: MIT
// Numbers of topic 03, roofline modelling.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/communication.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/energy.hpp"
#include "roofline/measurement.hpp"
#include "roofline/profile.hpp"
#include "roofline/transformer.hpp"
#include "shared.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Sources;
using roofline::Operation;
using roofline::Precision;

using namespace base::prefixes;

/// Ridge of FP32 on the vector units, in FLOP/B.
std::string fp32_ridge(const Sources& sources, std::string_view id) {
  const roofline::Machine machine = sources.machine(id);
  const roofline::Peak* peak =
      roofline::find_peak(machine, roofline::Precision::kFp32, roofline::Unit::kVector);
  if (peak == nullptr) throw std::runtime_error(fmt::format("{} has no FP32 vector peak", id));
  return fixed(roofline::ridge({peak->operations_per_second, roofline::bandwidth(machine)}), 1);
}

DOC_FORMULA("ridge.rtx3090", fp32_ridge(s, "rtx-3090"))
DOC_FORMULA("ridge.a100", fp32_ridge(s, "a100-80gb-sxm"))
DOC_FORMULA("ridge.v100", fp32_ridge(s, "v100-sxm2"))
DOC_FORMULA("ridge.t4", fp32_ridge(s, "t4"))
/// Tokens per second of a layer of 4096 x 4096 on an H200, as a multiple of one token's with 16-bit
/// weights: left of the ridge the rate follows the intensity.
std::string more_tokens(double weight_bytes, double batch) {
  return fixed(roofline::layer_intensity({4096, 4096, weight_bytes, 2}, batch) /
                   roofline::layer_intensity({4096, 4096, 2, 2}, 1),
               1);
}
DOC_FORMULA("03.moves.four_bits", more_tokens(0.5, 1))
DOC_FORMULA("03.moves.batch", more_tokens(2, 16))
DOC_FORMULA("03.h200.fp16_ridge",
            fixed(roofline::ridge(roofline::roof_of(s.machine("h200-sxm"), Precision::kFp16)), 0))

/// Vector peak divided by matrix peak in FP16, as "1/7.4".
std::string vector_part(const Sources& s, std::string_view id) {
  const roofline::Machine machine = s.machine(id);
  const auto rate = [&](roofline::Unit unit) {
    return roofline::find_peak(machine, Precision::kFp16, unit)->operations_per_second;
  };
  return "1/" +
         docs::short_number(
             std::round(10 * rate(roofline::Unit::kMatrix) / rate(roofline::Unit::kVector)) / 10);
}
DOC_FORMULA("03.ceiling.a100", vector_part(s, "a100-80gb-sxm"))
DOC_FORMULA("03.ceiling.h200", vector_part(s, "h200-sxm"))

// --- The model ---

constexpr roofline::Roof kExample{15 * kTera, 500 * kGiga};
DOC_FORMULA("03.example.ridge", fixed(roofline::ridge(kExample), 0))
DOC_FORMULA("03.example.attainable", fixed(roofline::attainable(kExample, 5) / kTera, 1))

using docs::kSixRoof;
roofline::Work six(int number) {
  return docs::six_operations().at(static_cast<std::size_t>(number - 1));
}

template <int kNumber>
std::string six_intensity(const Sources&) {
  const roofline::Work work = six(kNumber);
  return fixed(roofline::arithmetic_intensity(work.flops, work.bytes), 1);
}
template <int kNumber>
std::string six_bound(const Sources&) {
  const roofline::Work work = six(kNumber);
  return roofline::to_string(
      roofline::classify(kSixRoof, roofline::arithmetic_intensity(work.flops, work.bytes)));
}
template <int kNumber>
std::string six_time(const Sources&) {
  const roofline::Work work = six(kNumber);
  const double micros = roofline::time_seconds(kSixRoof, work.flops, work.bytes) / kMicro;
  return fixed(micros, micros < 30 ? 2 : 1);
}
DOC_FORMULA("03.six.25mb_us",
            fixed(roofline::time_seconds(kSixRoof, six(1).flops, 25 * kMega) / kMicro, 1))
DOC_FORMULA("03.six.25mb_ai", fixed(roofline::arithmetic_intensity(six(1).flops, 25 * kMega), 2))
DOC_VALUE("03.six.rate2", [](const Sources&) {
  const double intensity = roofline::arithmetic_intensity(six(2).flops, six(2).bytes);
  return fixed(roofline::attainable(kSixRoof, intensity) / kGiga, 1);
})
#define SIX_OPERATION(number)                                            \
  DOC_VALUE("03.six.ai" #number, six_intensity<number>)                  \
  [[maybe_unused]] static const bool six_bound_##number =                \
      ::docs::register_value("03.six.bound" #number, six_bound<number>); \
  [[maybe_unused]] static const bool six_time_##number =                 \
      ::docs::register_value("03.six.t" #number, six_time<number>);
SIX_OPERATION(1)
SIX_OPERATION(2)
SIX_OPERATION(3)
SIX_OPERATION(4)
SIX_OPERATION(5)
SIX_OPERATION(6)

// --- Measured on the H200 ---

double program(const Sources& sources, const std::string& name, const char* column) {
  return sources.measured_number("roofline_program_h200.csv", {{"name", name}}, column);
}
double program_bandwidth(const Sources& s) {
  return kGiga * program(s, "saxpy", "gb_per_s");
}
double program_peak(const Sources& s) {
  return kGiga * program(s, "fma 1024", "gflop_per_s");
}
DOC_FORMULA("03.program.saxpy", fixed(program_bandwidth(s) / kGiga, 0))
DOC_FORMULA("03.program.fma", fixed(program_peak(s) / kTera, 1))
DOC_FORMULA("03.program.ridge", fixed(program_peak(s) / program_bandwidth(s), 1))

/// How far a rate of the program is below the roof of `roofline measure`, in percent.
std::string gap(double rate, double roof) {
  return fixed(100 * (1 - rate / roof), 0);
}
DOC_VALUE("03.program.saxpy_gap", [](const Sources& s) {
  const roofline::Machine measured = roofline::load_machine(s.measured("h200_roofs.json"));
  return gap(program_bandwidth(s), measured.streams.at("triad"));
})
DOC_VALUE("03.program.fma_gap", [](const Sources& s) {
  const roofline::Machine measured = roofline::load_machine(s.measured("h200_roofs.json"));
  return gap(program_peak(s),
             roofline::best_peak(measured, Precision::kFp32).operations_per_second);
})

double sweep(const Sources& s, const std::string& iterations, const char* column) {
  return s.measured_number("roofline_sweep_h200.csv", {{"iterations", iterations}}, column);
}
std::string sweep_part(const Sources& s, const std::string& iterations) {
  const double roof =
      std::min(program_peak(s), program_bandwidth(s) * sweep(s, iterations, "flop_per_byte"));
  return fixed(100 * kGiga * sweep(s, iterations, "gflop_per_s") / roof, 0);
}
#define SWEEP_ROW(count)                                                           \
  [[maybe_unused]] static const bool sweep_rate_##count = ::docs::register_value(  \
      "03.sweep.rate" #count,                                                      \
      [](const Sources& s) { return fixed(sweep(s, #count, "gflop_per_s"), 0); }); \
  [[maybe_unused]] static const bool sweep_bytes_##count = ::docs::register_value( \
      "03.sweep.bytes" #count,                                                     \
      [](const Sources& s) { return fixed(sweep(s, #count, "gb_per_s"), 0); });    \
  [[maybe_unused]] static const bool sweep_part_##count = ::docs::register_value(  \
      "03.sweep.part" #count, [](const Sources& s) { return sweep_part(s, #count); });
SWEEP_ROW(1)
SWEEP_ROW(10)
SWEEP_ROW(100)
SWEEP_ROW(1000)

/// The sweep's last point as a percentage of the H200's stated peak on one unit.
std::string sweep_over_peak(const Sources& s, Precision precision, roofline::Unit unit) {
  const roofline::Machine machine = s.machine("h200-sxm");
  const roofline::Peak* peak = roofline::find_peak(machine, precision, unit);
  if (peak == nullptr) throw std::runtime_error("the H200 has no such peak");
  return fixed(100 * kGiga * sweep(s, "1000", "gflop_per_s") / peak->operations_per_second, 0);
}
DOC_FORMULA("03.wrong.matrix_percent",
            sweep_over_peak(s, Precision::kFp16, roofline::Unit::kMatrix))
DOC_FORMULA("03.wrong.vector_percent",
            sweep_over_peak(s, Precision::kFp32, roofline::Unit::kVector))

DOC_FORMULA("03.sweep.copy",
            fixed(s.measured_number("h200_peaks.csv", {{"program", "copy"}, {"n", "67108864"}},
                                    "gb_per_s"),
                  0))
double fusion(const Sources& s, const std::string& program_name, const char* column) {
  return s.measured_number("roofline_fusion_h200.csv", {{"program", program_name}}, column);
}
std::string measured_gain(const Sources& s, const std::string& what) {
  return fixed(fusion(s, "separate_" + what, "seconds_median") /
                   fusion(s, "fused_" + what, "seconds_median"),
               2);
}
constexpr double kFloat = 4;
DOC_VALUE("03.fusion.chain_predicted", [](const Sources&) {
  const Operation scale = roofline::elementwise("scale", 1, 1, 1, Precision::kFp32);
  const Operation combine = roofline::elementwise("combine", 1, 1, 2, Precision::kFp32);
  const Operation all =
      roofline::fused("all", roofline::fused("two", scale, combine, kFloat), combine, kFloat);
  return fixed((scale.bytes() + 2 * combine.bytes()) / all.bytes(), 2);
})
DOC_VALUE("03.fusion.norm_predicted", [](const Sources&) {
  const Operation add = roofline::residual_add(1, Precision::kFp32);
  const Operation norm = roofline::rms_norm(1, 1, Precision::kFp32);
  return fixed(
      (add.bytes() + norm.bytes()) / roofline::fused("both", add, norm, kFloat, true).bytes(), 2);
})
DOC_FORMULA("03.fusion.chain_measured", measured_gain(s, "chain"))
DOC_FORMULA("03.fusion.norm_measured", measured_gain(s, "norm"))
DOC_FORMULA("03.fusion.chain_gb_s", fixed(fusion(s, "fused_chain", "gb_per_s"), 0))
DOC_FORMULA("03.fusion.norm_gb_s", fixed(fusion(s, "fused_norm", "gb_per_s"), 0))

double product(const Sources& s, const std::string& name, const char* n = "4096") {
  return s.measured_number("roofline_gemm_h200.csv", {{"program", name}, {"n", n}}, "gflop_per_s") *
         kGiga;
}
std::string part_of_vendor(const Sources& s, const std::string& name, const char* n = "4096") {
  return fixed(100 * product(s, name, n) / product(s, "cublas_sgemm", n), 0);
}
#define RUNG(rung)                                                                   \
  [[maybe_unused]] static const bool rung_rate_##rung = ::docs::register_value(      \
      "03.gemm." #rung,                                                              \
      [](const Sources& s) { return fixed(product(s, "gemm_" #rung) / kTera, 1); }); \
  [[maybe_unused]] static const bool rung_part_##rung =                              \
      ::docs::register_value("03.gemm." #rung "_part",                               \
                             [](const Sources& s) { return part_of_vendor(s, "gemm_" #rung); });
RUNG(naive)
RUNG(tiled)
RUNG(registers)
RUNG(vectorised)
DOC_FORMULA("03.gemm.cublas", fixed(product(s, "cublas_sgemm") / kTera, 1))
DOC_FORMULA("03.gemm.large", fixed(product(s, "gemm_vectorised", "8192") / kTera, 1))
DOC_FORMULA("03.gemm.large_part", part_of_vendor(s, "gemm_vectorised", "8192"))

/// Fraction of OpenBLAS's rate that a rung reached on a CPU: median over the rounds of
/// bench-roofline-gemm.
std::string part_of_openblas(const Sources& s, const std::string& name) {
  const double part = s.measured_number("roofline_gemm_cpu.csv", {{"program", name}}, "of_library");
  return fixed(100 * part, part < 0.1 ? 1 : 0);
}
DOC_FORMULA("03.gemm.cpu_naive", part_of_openblas(s, "gemm_naive"))
DOC_FORMULA("03.gemm.cpu_tiled", part_of_openblas(s, "gemm_tiled"))
DOC_FORMULA("03.gemm.cpu_registers", part_of_openblas(s, "gemm_registers"))
DOC_FORMULA("03.gemm.cpu_vectorised", part_of_openblas(s, "gemm_vectorised"))

// --- Profiles ---

roofline::KernelProfile profiled(const Sources& s, const char* file, const std::string& name,
                                 double flops = 0) {
  const auto folder = s.data().parent_path() / "topics/03-roofline-modeling/profiles";
  for (const auto& kernel : roofline::import_profile(folder / file).kernels) {
    if (kernel.name.find(name) == std::string::npos || !kernel.counts) continue;
    if (flops == 0 || kernel.counts->flops() == flops) return kernel;
  }
  throw std::runtime_error(fmt::format("{} has no kernel {}", file, name));
}
roofline::KernelCounts on_h200(const Sources& s, const std::string& name, double flops = 0) {
  return *profiled(s, "kernels_h200.csv", name, flops).counts;
}

/// Measured roofs of the H200: L1 and L2 from its machine file, the rest from its report.
double measured_bandwidth(const Sources& s, const std::string& level) {
  if (level == "DRAM") {
    return roofline::load_machine(s.measured("h200_roofs.json")).streams.at("read");
  }
  return roofline::bandwidth(s.machine("h200-sxm"), level);
}
double measured_peak(const Sources& s) {
  const roofline::Machine machine = roofline::load_machine(s.measured("h200_roofs.json"));
  return roofline::find_peak(machine, Precision::kFp32, roofline::Unit::kVector)
      ->operations_per_second;
}

/// A profiled kernel compared with every measured roof, and with its actual time.
std::string levels_table(const Sources& s, const std::string& kernel) {
  const roofline::KernelCounts counts = on_h200(s, kernel);
  std::vector<docs::Row> rows;
  for (const char* level : {"L1", "L2", "DRAM"}) {
    const double bytes = counts.bytes.at(level);
    const double bandwidth = measured_bandwidth(s, level);
    const double intensity = counts.flops() / bytes;
    rows.push_back({level, fixed(bytes / kGiga, 1), fixed(intensity, intensity < 1 ? 2 : 1),
                    fixed(bandwidth / kTera, 2) + " TB/s", fixed(bytes / bandwidth / kMilli, 1)});
  }
  rows.push_back({"arithmetic", "", "", fixed(measured_peak(s) / kTera, 1) + " TFLOP/s",
                  fixed(counts.flops() / measured_peak(s) / kMilli, 1)});
  return docs::markdown_table({"level", "GB moved", "FLOP/B there", "measured roof", "time, ms"},
                              rows);
}
/// The longest of the four times as a percentage of the kernel's time.
std::string part_of_bound(const Sources& s, const std::string& kernel) {
  const roofline::KernelCounts counts = on_h200(s, kernel);
  std::vector<roofline::LevelLoad> loads;
  for (const char* level : {"L1", "L2", "DRAM"}) {
    loads.push_back({level, measured_bandwidth(s, level), counts.bytes.at(level)});
  }
  const double bound =
      roofline::hierarchical_bound(measured_peak(s), counts.flops(), loads).seconds;
  return fixed(100 * bound / counts.seconds, 0);
}
roofline::KernelCounts registers_rung(const Sources& s) {
  return on_h200(s, "gemm_registers_kernel");
}
DOC_FORMULA("03.hier.registers_l1_gb", fixed(registers_rung(s).bytes.at("L1") / kGiga, 1))
DOC_FORMULA("03.hier.registers_l2_gb", fixed(registers_rung(s).bytes.at("L2") / kGiga, 1))
DOC_FORMULA("03.hier.registers_dram_gb", fixed(registers_rung(s).bytes.at("DRAM") / kGiga, 1))
DOC_FORMULA("03.hier.registers_l1_ms",
            fixed(registers_rung(s).bytes.at("L1") / measured_bandwidth(s, "L1") / kMilli, 1))
DOC_FORMULA("03.hier.registers_flop_ms",
            fixed(registers_rung(s).flops() / measured_peak(s) / kMilli, 1))
DOC_FORMULA("03.hier.registers_ms", fixed(registers_rung(s).seconds / kMilli, 1))
DOC_FORMULA("03.hier.registers_part", part_of_bound(s, "gemm_registers_kernel"))
DOC_FORMULA("03.hier.table", levels_table(s, "gemm_naive_kernel"))
DOC_FORMULA("03.hier.part", part_of_bound(s, "gemm_naive_kernel"))
DOC_FORMULA("03.hier.l1_ms", fixed(on_h200(s, "gemm_naive_kernel").bytes.at("L1") /
                                       measured_bandwidth(s, "L1") / kMilli,
                                   1))
DOC_VALUE("03.hier.promised_ms", [](const Sources& s) {
  constexpr double kPromised = 132 * 128 * 1.98e9;  // multiprocessors x bytes per clock x clock
  return fixed(on_h200(s, "gemm_naive_kernel").bytes.at("L1") / kPromised / kMilli, 1);
})
DOC_FORMULA("03.w2.table", levels_table(s, "gemm_vectorised_kernel"))
DOC_FORMULA("03.w2.part", part_of_bound(s, "gemm_vectorised_kernel"))
DOC_FORMULA("03.w2.ms", fixed(on_h200(s, "gemm_vectorised_kernel").seconds / kMilli, 2))
DOC_VALUE("03.wrong.dram_over_l1_ms", [](const Sources& s) {  // one level's bytes, another's roof
  return fixed(
      on_h200(s, "gemm_naive_kernel").bytes.at("DRAM") / measured_bandwidth(s, "L1") / kMilli, 1);
})
DOC_VALUE("03.wrong.ffma_once", [](const Sources& s) {
  const roofline::KernelCounts& naive = on_h200(s, "gemm_naive_kernel");
  return fixed(naive.flops() / 2 / naive.bytes.at("DRAM"), 1);
})
DOC_FORMULA("03.hier.naive_ms", fixed(on_h200(s, "gemm_naive_kernel").seconds / kMilli, 1))

std::string intensity_text(double intensity) {
  return fixed(intensity, intensity < 1 ? 3 : intensity < 100 ? 1 : 0);
}
/// One cell of the table of profiled kernels.
std::string profile_cell(const Sources& s, const std::string& kernel, double flops, char what) {
  const roofline::KernelCounts counts = on_h200(s, kernel, flops);
  const roofline::ProfilePoint point = roofline::place(counts);
  switch (what) {
    case 'f':
      return fixed(counts.flops() / kGiga, 2);
    case 'b':
      return fixed(counts.bytes.at("DRAM") / kGiga, 3);
    case 'i':
      return intensity_text(point.intensity);
    case 'r':
      return fixed(point.flops_per_second / kTera, 2);
    default:
      return fixed(point.bytes_per_second / kGiga, 0);
  }
}
#define PROFILE_CELL(key, column, kernel, flops, what)                                  \
  [[maybe_unused]] static const bool profile_##key##_##column = ::docs::register_value( \
      "03.ncu." #key "." #column,                                                       \
      [](const Sources& s) { return profile_cell(s, kernel, flops, what); });
#define PROFILE_ROW(key, kernel, flops)         \
  PROFILE_CELL(key, gflop, kernel, flops, 'f')  \
  PROFILE_CELL(key, gb, kernel, flops, 'b')     \
  PROFILE_CELL(key, ai, kernel, flops, 'i')     \
  PROFILE_CELL(key, tflops, kernel, flops, 'r') \
  PROFILE_CELL(key, gbs, kernel, flops, 'B')
constexpr double kProfiled = 33554432;  // elements
PROFILE_ROW(saxpy, "Saxpy", 0)
PROFILE_ROW(fma, "FmaChain", 0)
PROFILE_ROW(sweep1, "sweep_kernel", 2 * kProfiled)
PROFILE_ROW(sweep1000, "sweep_kernel", 2000 * kProfiled)
PROFILE_ROW(chain, "fused_chain_kernel", 0)
PROFILE_ROW(norm, "fused_norm_kernel", 0)
PROFILE_ROW(naive, "gemm_naive_kernel", 0)
PROFILE_ROW(tiled, "gemm_tiled_kernel", 0)
PROFILE_ROW(registers, "gemm_registers_kernel", 0)
PROFILE_ROW(vectorised, "gemm_vectorised_kernel", 0)

/// The percentage of a kernel's FLOPs found by the simple formula for AMD.
std::string simple_percent(const Sources& s, const char* kernel) {
  const roofline::KernelProfile profile = profiled(s, "constructed_gfx942.db", kernel);
  return fixed(
      100 * roofline::simple_amd_estimate(profile.counters).flops / profile.counts->flops(), 0);
}
DOC_FORMULA("03.amd.simple_percent", simple_percent(s, "saxpy"))
DOC_FORMULA("03.amd.product_percent", simple_percent(s, "matrix_product"))

// --- Precision, energy, communication ---

constexpr double kWidth = 4096;

std::string gemv_intensity(Precision precision) {
  const double intensity = roofline::gemv(kWidth, kWidth, precision).intensity();
  return fixed(intensity, intensity < 0.9 ? 1 : 0);
}
DOC_FORMULA("03.precision.fp32", gemv_intensity(Precision::kFp32))
DOC_FORMULA("03.precision.tf32", gemv_intensity(Precision::kTf32))
DOC_FORMULA("03.precision.fp16", gemv_intensity(Precision::kFp16))
DOC_FORMULA("03.precision.int8", gemv_intensity(Precision::kInt8))
DOC_FORMULA("03.precision.int4", gemv_intensity(Precision::kInt4))
DOC_VALUE("03.precision.part", [](const Sources& s) {
  const roofline::Roof roof = roofline::roof_of(s.machine("a100-80gb-sxm"), Precision::kFp16);
  return fixed(
      100 * roofline::gemv(kWidth, kWidth, Precision::kFp16).intensity() / roofline::ridge(roof),
      2);
})
DOC_VALUE("03.wrong.sparse_part", [](const Sources& s) {
  const roofline::Machine a100 = s.machine("a100-80gb-sxm");
  const roofline::Peak* sparse =
      roofline::find_peak(a100, Precision::kFp16, roofline::Unit::kMatrix, true);
  if (sparse == nullptr) throw std::runtime_error("the A100 has no sparse FP16 peak");
  const roofline::Roof roof{sparse->operations_per_second, roofline::bandwidth(a100)};
  return fixed(
      100 * roofline::gemv(kWidth, kWidth, Precision::kFp16).intensity() / roofline::ridge(roof),
      2);
})
DOC_FORMULA("03.energy.ridge", fixed(roofline::energy_ridge({0.3e-12, 20e-12}), 1))
DOC_VALUE("03.energy.gemm", [](const Sources&) {
  const double intensity = roofline::gemm(kWidth, kWidth, kWidth, Precision::kFp16).intensity();
  return fixed(roofline::flops_per_joule({0.3e-12, 20e-12}, intensity) / kGiga, 0);
})
DOC_VALUE("03.energy.norm", [](const Sources&) {
  const double intensity = roofline::rms_norm(1, kWidth, Precision::kFp16).intensity();
  return fixed(roofline::flops_per_joule({0.3e-12, 20e-12}, intensity) / kGiga, 1);
})

// Data-parallel training: FLOPs that a rank must do for each byte that it sends, and how many
// tokens per rank are enough. Weights P, 6 P FLOPs per token, gradients of 2 bytes.
DOC_VALUE("03.dp.ridge", [](const Sources& s) {
  const double peak =
      roofline::best_peak(s.machine("h100-sxm"), Precision::kBf16).operations_per_second;
  return fixed(roofline::communication_ridge(peak, {0, 450 * kGiga}), 0);
})
DOC_VALUE("03.dp.tokens", [](const Sources& s) {
  const double peak =
      roofline::best_peak(s.machine("h100-sxm"), Precision::kBf16).operations_per_second;
  const double bytes_a_weight = roofline::collective_bytes(roofline::Collective::kAllReduce, 2, 8);
  return fixed(roofline::communication_ridge(peak, {0, 450 * kGiga}) * bytes_a_weight / 6, 0);
})
std::string all_reduce_us(int ranks) {
  return fixed(roofline::collective_seconds(roofline::Collective::kAllReduce, 64 * kMega, ranks,
                                            {0, 450 * kGiga}) /
                   kMicro,
               1);
}
DOC_FORMULA("03.comm.us", all_reduce_us(8))
DOC_FORMULA("03.comm.many_us", all_reduce_us(64))

// --- Prefill, decode, a block ---

Operation prefill() {
  return roofline::linear(8.0 * 2048, kWidth, 3 * kWidth);
}
Operation decode() {
  return roofline::gemv(kWidth, kWidth, Precision::kFp16);
}
Operation grouped() {
  return roofline::decode_attention(1, 32, 8, 128, 8192, Precision::kFp16);
}
/// 1,649,267,441,664
std::string grouped_digits(double value) {
  std::string digits = fixed(value, 0);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}
DOC_FORMULA("03.place.prefill_flops", grouped_digits(prefill().flops))
DOC_FORMULA("03.place.prefill_bytes", grouped_digits(prefill().bytes()))
DOC_FORMULA("03.place.prefill_gib", fixed(prefill().bytes() / kGibi, 5))
DOC_FORMULA("03.place.prefill_ai", fixed(prefill().intensity(), 0))
DOC_FORMULA("03.place.decode_flops", grouped_digits(decode().flops))
DOC_FORMULA("03.place.decode_bytes", grouped_digits(decode().bytes()))
DOC_FORMULA("03.place.decode_ai", fixed(decode().intensity(), 1))
DOC_FORMULA("03.place.gqa_flops", grouped_digits(grouped().flops))
DOC_FORMULA("03.place.gqa_bytes", grouped_digits(grouped().bytes()))
DOC_FORMULA("03.place.gqa_ai", fixed(grouped().intensity(), 0))

std::vector<Operation> block(roofline::BlockTraffic traffic = roofline::BlockTraffic::kPrinted) {
  return roofline::transformer_block(32, 1024, 768, Precision::kFp16, traffic);
}
Operation block_as_run() {
  return roofline::total("block", block(roofline::BlockTraffic::kAsRun));
}
DOC_FORMULA("03.block.run_mb", fixed(block_as_run().bytes() / kMega, 0))
DOC_FORMULA("03.block.run_ai", fixed(block_as_run().intensity(), 0))
DOC_FORMULA("03.block.run_ffn_mb",
            fixed(block(roofline::BlockTraffic::kAsRun).at(4).bytes() / kMega, 0))
DOC_FORMULA("03.block.run_ffn_ai",
            fixed(block(roofline::BlockTraffic::kAsRun).at(4).intensity(), 1))
DOC_VALUE("03.block.small_percent", [](const Sources&) {
  const std::vector<Operation> rows = block();
  const double small = rows.at(3).flops + rows.at(5).flops + rows.at(6).flops;
  return fixed(100 * small / roofline::total("block", rows).flops, 2);
})
DOC_VALUE("03.block.small_bytes_percent", [](const Sources&) {
  const std::vector<Operation> rows = block();
  const double small = rows.at(3).bytes() + rows.at(5).bytes() + rows.at(6).bytes();
  return fixed(100 * small / roofline::total("block", rows).bytes(), 0);
})
DOC_FORMULA("03.block.us", fixed(docs::block_time(s).seconds / 1e-6, 0))
DOC_FORMULA("03.block.sums_us", fixed(docs::block_time(s).sums_seconds / 1e-6, 0))
DOC_FORMULA("03.block.waiting_percent", fixed(100 * docs::block_time(s).waiting_time, 0))
std::string block_cell(const Operation& operation, char what) {
  if (what == 'f') return fixed(operation.flops / kGiga, operation.flops < kGiga ? 2 : 1);
  if (what == 'b') return fixed(operation.bytes() / kMega, 0);
  return fixed(operation.intensity(), 1);
}
#define BLOCK_ROW(row)                                                                         \
  [[maybe_unused]] static const bool block_gflop_##row = ::docs::register_value(               \
      "03.block.gflop" #row, [](const Sources&) { return block_cell(block().at(row), 'f'); }); \
  [[maybe_unused]] static const bool block_mb_##row = ::docs::register_value(                  \
      "03.block.mb" #row, [](const Sources&) { return block_cell(block().at(row), 'b'); });    \
  [[maybe_unused]] static const bool block_ai_##row = ::docs::register_value(                  \
      "03.block.ai" #row, [](const Sources&) { return block_cell(block().at(row), 'i'); });
BLOCK_ROW(0)
BLOCK_ROW(1)
BLOCK_ROW(2)
BLOCK_ROW(3)
BLOCK_ROW(4)
BLOCK_ROW(5)
BLOCK_ROW(6)
DOC_FORMULA("03.block.gflop", block_cell(roofline::total("block", block()), 'f'))
DOC_FORMULA("03.block.mb", block_cell(roofline::total("block", block()), 'b'))
DOC_FORMULA("03.block.ai", block_cell(roofline::total("block", block()), 'i'))

// --- Three intensities side by side ---

/// Counts of one run on counting numbers, data/measured/roofline_counted.csv
/// (bench-roofline-counted).
std::string counted(const Sources& s, const std::string& kernel, const char* which) {
  const auto cell = [&](const char* column) {
    return s.measured_number("roofline_counted.csv", {{"kernel", kernel}}, column);
  };
  const double bytes = std::string(which) == "issued" ? cell("bytes_loaded") + cell("bytes_stored")
                                                      : cell("compulsory_bytes");
  return intensity_text(cell("flops") / bytes);
}
#define COUNTED_ROW(key, kernel)                                                             \
  [[maybe_unused]] static const bool counted_issued_##key =                                  \
      ::docs::register_value("03.counted." #key ".issued",                                   \
                             [](const Sources& s) { return counted(s, kernel, "issued"); }); \
  [[maybe_unused]] static const bool counted_least_##key = ::docs::register_value(           \
      "03.counted." #key ".least", [](const Sources& s) { return counted(s, kernel, "least"); });
COUNTED_ROW(saxpy, "roofline_saxpy")
COUNTED_ROW(fma, "roofline_fma")
COUNTED_ROW(sweep1, "sweep_1")
COUNTED_ROW(sweep1000, "sweep_1000")
COUNTED_ROW(chain, "fused_chain")
COUNTED_ROW(norm, "fused_norm")
COUNTED_ROW(naive, "gemm_naive")
COUNTED_ROW(tiled, "gemm_tiled")
COUNTED_ROW(registers, "gemm_registers")
COUNTED_ROW(vectorised, "gemm_vectorised")
// The rate at DRAM bandwidth if the naive product's issued bytes came from DRAM.
DOC_FORMULA("03.wrong.issued_tflops", fixed(std::stod(counted(s, "gemm_naive", "issued")) *
                                                measured_bandwidth(s, "DRAM") / kTera,
                                            1))

/// The library's intensity of a kernel that does `flops` and moves `values` floats per element.
std::string streaming_intensity(double flops, double values) {
  return intensity_text(roofline::arithmetic_intensity(flops, values * kFloat));
}
std::string product_intensity(double m, double n, double k) {
  return intensity_text(roofline::gemm(m, n, k, Precision::kFp32).intensity());
}
constexpr double kProfiledSize = 4096;
#define FORMULA_ROW(key, small, large)                                                           \
  [[maybe_unused]] static const bool formula_small_##key =                                       \
      ::docs::register_value("03.formula." #key ".small", [](const Sources&) { return small; }); \
  [[maybe_unused]] static const bool formula_large_##key =                                       \
      ::docs::register_value("03.formula." #key ".large", [](const Sources&) { return large; });
#define STREAM_ROW(key, flops, values) \
  FORMULA_ROW(key, streaming_intensity(flops, values), streaming_intensity(flops, values))
#define PRODUCT_ROW(key)                             \
  FORMULA_ROW(key, product_intensity(256, 256, 128), \
              product_intensity(kProfiledSize, kProfiledSize, kProfiledSize))
STREAM_ROW(saxpy, 2, 3)
STREAM_ROW(fma, 2048, 2)
STREAM_ROW(sweep1, 2, 2)
STREAM_ROW(sweep1000, 2000, 2)
STREAM_ROW(chain, 3, 4)
STREAM_ROW(norm, 5, 4)
PRODUCT_ROW(naive)
PRODUCT_ROW(tiled)
PRODUCT_ROW(registers)
PRODUCT_ROW(vectorised)

/// How far the profiled intensity is from the formula's, in percent.
std::string difference(const Sources& s, const std::string& kernel, double flops, double formula) {
  const double percent = 100 * (roofline::place(on_h200(s, kernel, flops)).intensity / formula - 1);
  return (percent < 0 ? "" : "+") + fixed(percent, 0);
}
double floats_intensity(double flops, double values) {
  return roofline::arithmetic_intensity(flops, values * kFloat);
}
double profiled_product() {
  return roofline::gemm(kProfiledSize, kProfiledSize, kProfiledSize, Precision::kFp32).intensity();
}
#define DIFFERENCE(key, kernel, flops, formula) \
  DOC_VALUE("03.off." #key, [](const Sources& s) { return difference(s, kernel, flops, formula); })
DIFFERENCE(saxpy, "Saxpy", 0, floats_intensity(2, 3))
DIFFERENCE(fma, "FmaChain", 0, floats_intensity(2048, 2))
DIFFERENCE(sweep1, "sweep_kernel", 2 * kProfiled, floats_intensity(2, 2))
DIFFERENCE(sweep1000, "sweep_kernel", 2000 * kProfiled, floats_intensity(2000, 2))
DIFFERENCE(chain, "fused_chain_kernel", 0, floats_intensity(3, 4))
DIFFERENCE(norm, "fused_norm_kernel", 0, floats_intensity(5, 4))
DIFFERENCE(naive, "gemm_naive_kernel", 0, profiled_product())
DIFFERENCE(tiled, "gemm_tiled_kernel", 0, profiled_product())
DIFFERENCE(registers, "gemm_registers_kernel", 0, profiled_product())
DIFFERENCE(vectorised, "gemm_vectorised_kernel", 0, profiled_product())

/// For kernels that pass over their arrays once and reuse nothing: how far the profile is off.
std::pair<double, double> elementwise_differences(const Sources& s) {
  const auto off = [&](const char* kernel, double flops, double formula) {
    return 100 * (roofline::place(on_h200(s, kernel, flops)).intensity / formula - 1);
  };
  return std::minmax({off("Saxpy", 0, floats_intensity(2, 3)),
                      off("FmaChain", 0, floats_intensity(2048, 2)),
                      off("sweep_kernel", 2 * kProfiled, floats_intensity(2, 2)),
                      off("sweep_kernel", 2000 * kProfiled, floats_intensity(2000, 2)),
                      off("fused_chain_kernel", 0, floats_intensity(3, 4))});
}
DOC_FORMULA("03.off.least", fixed(elementwise_differences(s).first, 0))
DOC_FORMULA("03.off.most", fixed(elementwise_differences(s).second, 0))
DOC_FORMULA("03.off.norm_extra", fixed(on_h200(s, "fused_norm_kernel").flops() / kProfiled - 5, 1))
DOC_FORMULA("03.off.operands_mb", fixed(2 * kProfiledSize * kProfiledSize * kFloat / kMega, 0))

}  // namespace
