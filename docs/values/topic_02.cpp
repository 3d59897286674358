// SPDX-License-Identifier: MIT
// Numbers of topic 02, peaks, and of the README's measured example.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "roofline/peaks.hpp"
#include "roofline/profile.hpp"
#include "shared.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Sources;

using namespace base::prefixes;
// Little's law at the latency assumed in the text.
constexpr double kLatencySeconds = 700e-9;
constexpr double kH200Multiprocessors = 132;

double h200_bandwidth(const Sources& sources) {
  return roofline::bandwidth(sources.machine("h200-sxm"));
}

/// The median that bench-saxpy reported on an H200 for one kernel, in bytes/s.
double measured_saxpy(const Sources& sources, const std::string& kernel) {
  return kGiga * sources.measured_number("saxpy_h200.csv", {{"kernel", kernel}}, "gb_per_s_median");
}

std::string saxpy_rate(const Sources& sources, const std::string& kernel) {
  return fixed(measured_saxpy(sources, kernel) / kGiga, 0);
}

std::string saxpy_percent(const Sources& sources, const std::string& kernel) {
  return fixed(100 * measured_saxpy(sources, kernel) / h200_bandwidth(sources), 0);
}

// --- Peaks on paper ---
constexpr double kA100Units = 108, kA100ClockHz = 1.41e9;
constexpr double kH100Units = 132, kH100VectorClockHz = 1.98e9, kH100MatrixClockHz = 1.83e9;
constexpr double kMatrixUnits = 4;

std::string tera(double rate, int digits) {
  return fixed(rate / kTera, digits);
}

std::string gigahertz(double peak, double units, double fma_per_clock) {
  return fixed(peak / roofline::vector_peak(units, fma_per_clock, 1) / kGiga, 2);
}

double a100_fp16() {
  return roofline::matrix_peak(kA100Units, kMatrixUnits, 256, kA100ClockHz);
}
double h100_fp16() {
  return roofline::matrix_peak(kH100Units, kMatrixUnits, 512, kH100MatrixClockHz);
}

DOC_FORMULA("02.a100.fp32", tera(roofline::vector_peak(kA100Units, 64, kA100ClockHz), 1))
DOC_FORMULA("02.a100.fp16", tera(a100_fp16(), 0))
DOC_FORMULA("02.a100.fp16_vector", tera(roofline::vector_peak(kA100Units, 256, kA100ClockHz), 0))
DOC_FORMULA("02.a100.bf16_vector", tera(roofline::vector_peak(kA100Units, 128, kA100ClockHz), 0))
DOC_FORMULA("02.h100.fp32", tera(roofline::vector_peak(kH100Units, 128, kH100VectorClockHz), 1))
DOC_FORMULA("02.h100.fp32_at_matrix_clock",
            tera(roofline::vector_peak(kH100Units, 128, kH100MatrixClockHz), 1))
DOC_FORMULA("02.h100.fp16", tera(h100_fp16(), 1))
DOC_FORMULA("02.h100.vector_clock", gigahertz(67e12, kH100Units, 128))
DOC_FORMULA("02.h100.matrix_clock", gigahertz(989.4e12, kH100Units, kMatrixUnits * 512))
DOC_FORMULA("02.h100_over_a100", fixed(h100_fp16() / a100_fp16(), 1))
DOC_FORMULA("02.h100.bandwidth_gb_s", fixed(roofline::memory_peak(2619e6, 5120) / kGiga, 0))
DOC_FORMULA("02.epyc.fp32", tera(roofline::cpu_vector_peak(64, 2, 256, 32, 3.75e9), 2))
DOC_FORMULA("02.v100.fp32", tera(roofline::vector_peak(80, 64, 1.53e9), 1))
DOC_FORMULA("02.v100.fp16", tera(roofline::vector_peak(80, 8 * 64, 1.53e9), 1))
DOC_FORMULA("02.epyc.bandwidth_gb_s", fixed(roofline::cpu_memory_peak(12, 4800e6) / kGiga, 1))

// --- Measured on two cores of an EPYC (data/measured/cpu_peaks.csv) ---

std::string cpu_cell(const Sources& sources, const std::string& kernel, const std::string& column) {
  return sources.measured_cell("cpu_peaks.csv", {{"kernel", kernel}}, column);
}

/// The reference kernel's rate divided by that of the loop of `roofline measure`, run alternately.
std::string cpu_share(const Sources& sources, const std::string& kernel) {
  return fixed(100 * std::stod(cpu_cell(sources, kernel, "reference")) /
                   std::stod(cpu_cell(sources, kernel, "native")),
               0);
}

DOC_FORMULA("02.cpu.device", cpu_cell(s, "triad", "device"))
DOC_FORMULA("02.cpu.when", cpu_cell(s, "triad", "date"))
DOC_FORMULA("02.cpu.triad_share", cpu_share(s, "triad"))
DOC_FORMULA("02.cpu.sum_share", cpu_share(s, "sum"))
DOC_FORMULA("02.cpu.fma_share", cpu_share(s, "fma_chains"))
DOC_FORMULA("01.cpu.stencil_share", cpu_share(s, "stencil5_fast"))

// --- Counting and spread ---

// Passes over arrays of a triad in one kernel, and in two with a temporary.
constexpr double kTriadPasses = 3, kEagerPasses = 5;

DOC_FORMULA("02.eager_percent", fixed(100 * kTriadPasses / kEagerPasses, 0))
DOC_FORMULA("02.eager.printed_gb_s", fixed(1880 * kTriadPasses / kEagerPasses, 0))
DOC_FORMULA("02.steady_percent", fixed(100 * (1 / 0.6 - 1), 0))
DOC_VALUE("02.chains.avx2", [](const Sources&) {
  constexpr int kPipes = 2, kLanes = 8, kLatencyClocks = 4;
  return fmt::format("{}", kPipes * kLanes * kLatencyClocks);
})
DOC_VALUE("02.tiny_gemm_us", [](const Sources&) {
  const double flops = roofline::gemm(256, 256, 256, roofline::Precision::kFp32).flops;
  return fixed(flops / 50e12 * 1e6, 2);
})
DOC_FORMULA("02.gemm.efficiency", fixed(100 * roofline::efficiency(690e12, 989.4e12), 1))

// --- Measured on an H200 (data/measured/h200_peaks.csv and related files) ---

/// Column `column` of the row of h200_peaks.csv for this program and size.
double h200(const Sources& sources, const std::string& program, const std::string& n,
            const std::string& column) {
  return sources.measured_number("h200_peaks.csv", {{"program", program}, {"n", n}}, column);
}

constexpr const char* kStreamSize = "67108864";
constexpr const char* kSumSize = "134217728";

double h200_stream(const Sources& sources, const std::string& stream) {
  const bool reads_only = stream == "sum";
  return kGiga * h200(sources, stream, reads_only ? kSumSize : kStreamSize, "gb_per_s");
}

std::string stream_rate(const Sources& sources, const std::string& stream) {
  return fixed(h200_stream(sources, stream) / kGiga, 0);
}

std::string stream_percent(const Sources& sources, const std::string& stream) {
  return fixed(100 * h200_stream(sources, stream) / h200_bandwidth(sources), 0);
}

double h200_peak(const Sources& sources, roofline::Precision precision, roofline::Unit unit) {
  const roofline::Machine machine = sources.machine("h200-sxm");
  const roofline::Peak* peak = roofline::find_peak(machine, precision, unit);
  if (peak == nullptr) throw std::runtime_error("h200-sxm has no such peak");
  return peak->operations_per_second;
}

double h200_flops(const Sources& sources, const std::string& program, const std::string& n) {
  return kGiga * h200(sources, program, n, "gflop_per_s");
}

constexpr const char* kFmaSize = "16777216";
constexpr const char* kHalfSize = "8388608";
constexpr const char* kMatrixSize = "65536";

DOC_FORMULA("02.h200.when", s.measured_cell("h200_peaks.csv", {{"program", "triad"}}, "date"))
DOC_FORMULA("02.h200.copy_gb_s", stream_rate(s, "copy"))
DOC_FORMULA("02.h200.copy_percent", stream_percent(s, "copy"))
DOC_FORMULA("02.h200.scale_gb_s", stream_rate(s, "scale"))
DOC_FORMULA("02.h200.scale_percent", stream_percent(s, "scale"))
DOC_FORMULA("02.h200.add_gb_s", stream_rate(s, "add"))
DOC_FORMULA("02.h200.add_percent", stream_percent(s, "add"))
DOC_FORMULA("02.h200.triad_gb_s", stream_rate(s, "triad"))
DOC_VALUE("02.wrong.copy_gb_s", [](const Sources& s) {  // from the triad's bytes
  constexpr double kTriadOverCopy = 24.0 / 16;
  return fixed(kTriadOverCopy * std::stod(stream_rate(s, "copy")), 0);
})
DOC_FORMULA("02.h200.triad_percent", stream_percent(s, "triad"))
DOC_FORMULA("02.h200.triad_large_gb_s", fixed(h200(s, "triad", "268435456", "gb_per_s"), 0))
DOC_FORMULA("02.h200.sum_gb_s", stream_rate(s, "sum"))
DOC_FORMULA("02.h200.sum_percent", stream_percent(s, "sum"))
DOC_FORMULA("02.llm8b.read_ms", fixed(1e3 * docs::token_bound(s).reached, 2))
DOC_VALUE("02.llm8b.read_more", [](const Sources& s) {  // in percent
  const docs::Bound bound = docs::token_bound(s);
  return fixed(100 * (bound.reached / bound.stated - 1), 0);
})
DOC_FORMULA("02.llm8b.prompt_tflop", tera(docs::kPromptFlops, 1))
DOC_FORMULA("02.llm8b.prompt_ms", fixed(1e3 * docs::prompt_bound(s).stated, 0))
DOC_FORMULA("02.llm8b.product", tera(docs::kPromptFlops / docs::prompt_bound(s).reached, 0))
DOC_FORMULA("02.llm8b.prompt_reached_ms", fixed(1e3 * docs::prompt_bound(s).reached, 0))
DOC_VALUE("02.llm8b.prompt_more", [](const Sources& s) {  // in percent
  const docs::Bound bound = docs::prompt_bound(s);
  return fixed(100 * (bound.reached / bound.stated - 1), 0);
})
DOC_FORMULA("02.roof.read_gb_s",
            fixed(roofline::load_machine(s.measured("h200_roofs.json")).streams.at("read") / 1e9,
                  0))
DOC_FORMULA("02.h200.fma_tflop_s", tera(h200_flops(s, "fma_chains", kFmaSize), 1))
DOC_VALUE("02.h200.fma_percent", [](const Sources& s) {
  const double peak = h200_peak(s, roofline::Precision::kFp32, roofline::Unit::kVector);
  return fixed(100 * h200_flops(s, "fma_chains", kFmaSize) / peak, 0);
})
DOC_FORMULA("02.h200.half_tflop_s", tera(h200_flops(s, "packed_half", kHalfSize), 0))
DOC_FORMULA("02.h200.half_over_fma",
            fixed(h200_flops(s, "packed_half", kHalfSize) / h200_flops(s, "fma_chains", kFmaSize),
                  2))
DOC_FORMULA("02.h200.matrix_tflop_s", tera(h200_flops(s, "matrix", kMatrixSize), 0))
DOC_FORMULA("02.h200.gemm_tflop_s", tera(h200_flops(s, "gemm", "8192"), 1))
DOC_FORMULA("02.h200.gemm2048_tflop_s", tera(h200_flops(s, "gemm", "2048"), 1))

// --- What `roofline measure` found on the H200 (data/measured/h200_roofs.json) ---

double h200_roof(const Sources& sources, const std::string& name) {
  return docs::roof_named(roofline::read_report(sources.measured("h200_roofs.json")), name)
      .rate.median;
}

/// A measured roof as a percentage of the figure in the machine's file.
std::string roof_percent(const Sources& sources, const std::string& name) {
  const double stated = name == "fp32.vector" ? h200_peak(sources, roofline::Precision::kFp32,
                                                          roofline::Unit::kVector)
                                              : h200_bandwidth(sources);
  return fixed(100 * h200_roof(sources, name) / stated, 1);
}
DOC_FORMULA("02.roof.fma_percent", roof_percent(s, "fp32.vector"))
DOC_FORMULA("02.h200.fma_of_roof",
            fixed(100 * h200_flops(s, "fma_chains", kFmaSize) / h200_roof(s, "fp32.vector"), 0))
DOC_FORMULA("02.roof.read_percent", roof_percent(s, "read"))
DOC_VALUE("02.roof.table", [](const Sources& s) {
  std::vector<docs::Row> rows;
  for (const auto& [stream, mix] : {std::pair{"read", "only reads"},
                                    {"triad", "two reads for a write"},
                                    {"copy", "one read for a write"},
                                    {"write", "only writes"}}) {
    rows.push_back({fmt::format("`{}`", stream), mix, fixed(h200_roof(s, stream) / kGiga, 0),
                    roof_percent(s, stream) + " %"});
  }
  return docs::markdown_table({"stream", "mix", "GB/s", "of 4800"}, rows);
})

// --- Peaks by precision ---

std::string peak_cell(const roofline::Machine& machine, roofline::Precision precision,
                      roofline::Unit unit) {
  const roofline::Peak* peak = roofline::find_peak(machine, precision, unit);
  return peak == nullptr ? "-" : docs::short_number(peak->operations_per_second / kTera);
}
DOC_VALUE("02.table.precisions", [](const Sources& s) {
  using roofline::Precision;
  using roofline::Unit;
  const std::vector<roofline::Machine> machines = {s.machine("t4"), s.machine("a100-80gb-sxm"),
                                                   s.machine("h100-sxm"), s.machine("b200-hgx"),
                                                   s.machine("mi300x")};
  std::vector<docs::Row> rows;
  for (const auto& [precision, unit] : {std::pair{Precision::kFp64, Unit::kVector},
                                        {Precision::kFp64, Unit::kMatrix},
                                        {Precision::kFp32, Unit::kVector},
                                        {Precision::kFp16, Unit::kVector},
                                        {Precision::kTf32, Unit::kMatrix},
                                        {Precision::kFp16, Unit::kMatrix},
                                        {Precision::kFp8, Unit::kMatrix},
                                        {Precision::kInt8, Unit::kMatrix},
                                        {Precision::kFp6, Unit::kMatrix},
                                        {Precision::kFp4, Unit::kMatrix},
                                        {Precision::kInt4, Unit::kMatrix}}) {
    docs::Row row = {fmt::format("{} {}", roofline::display_name(precision), to_string(unit))};
    for (const auto& machine : machines) row.push_back(peak_cell(machine, precision, unit));
    rows.push_back(row);
  }
  return docs::markdown_table({"dense, TFLOP/s", "T4", "A100", "H100 SXM", "B200", "MI300X"}, rows);
})
/// A matrix peak of the H100 divided by its own FP32 vector peak.
std::string h100_ratio(const Sources& s, roofline::Precision precision) {
  const roofline::Machine h100 = s.machine("h100-sxm");
  const auto rate = [&](roofline::Precision p, roofline::Unit unit) {
    return roofline::find_peak(h100, p, unit)->operations_per_second;
  };
  return fixed(rate(precision, roofline::Unit::kMatrix) /
                   rate(roofline::Precision::kFp32, roofline::Unit::kVector),
               1);
}
DOC_FORMULA("02.h100.tf32_ratio", h100_ratio(s, roofline::Precision::kTf32))
DOC_FORMULA("02.h100.fp16_ratio", h100_ratio(s, roofline::Precision::kFp16))
DOC_FORMULA("02.h100.int8_ratio", h100_ratio(s, roofline::Precision::kInt8))
DOC_FORMULA("02.h100.fp64_matrix",
            tera(roofline::matrix_peak(kH100Units, kMatrixUnits, 32, kH100VectorClockHz), 1))
DOC_FORMULA("02.h100.fp64_at_matrix_clock",
            tera(roofline::matrix_peak(kH100Units, kMatrixUnits, 32, kH100MatrixClockHz), 1))

// --- Rates reached, published and ours ---

double published(const Sources& s, const std::string& id, const std::string& column) {
  return s.measured_number("llm_measured.csv", {{"id", id}}, column);
}
/// TFLOP/s of a published product of side n from its time in microseconds.
double product_rate(double side, double microseconds) {
  return roofline::gemm(side, side, side, roofline::Precision::kFp16).flops /
         (microseconds * kMicro);
}
docs::Row product_row(const Sources& s, const char* name, const char* id, double side,
                      double microseconds) {
  const double rate = product_rate(side, microseconds);
  const double peak =
      roofline::best_peak(s.machine(id), roofline::Precision::kFp16).operations_per_second;
  return {name, fixed(side, 0), docs::short_number(microseconds), tera(rate, 0),
          fmt::format("{:.0f} %", 100 * rate / peak)};
}
DOC_VALUE("02.table.products", [](const Sources& s) {
  const auto row = [&](const char* name, const char* id, double side, const char* csv) {
    return product_row(s, name, id, side, published(s, csv, "measured"));
  };
  constexpr double kA100Side1024 = 19.3;  // us, from the same collection of measurements
  return docs::markdown_table(
      {"machine", "side", "us", "TFLOP/s", "of the dense peak"},
      {row("A100", "a100-80gb-sxm", 256, "252"),
       product_row(s, "A100", "a100-80gb-sxm", 1024, kA100Side1024),
       row("A100", "a100-80gb-sxm", 8192, "254"), row("H100", "h100-sxm", 256, "256"),
       row("H100", "h100-sxm", 1024, "257"), row("H100", "h100-sxm", 4096, "258"),
       row("H200", "h200-sxm", 8192, "246")});
})
DOC_VALUE("02.table.achievable", [](const Sources& s) {
  // Published bandwidths of a triad in one kernel; the H200's is ours.
  const double h200_triad = h200_roof(s, "triad");
  struct Reached {
    const char* name;
    const char* id;
    double bandwidth;
    double product;
  };
  std::vector<docs::Row> rows;
  for (const Reached& reached :
       {Reached{"A100", "a100-80gb-sxm", 1880e9, published(s, "286", "measured") * kTera},
        {"H100 SXM", "h100-sxm", 3040e9, published(s, "287", "measured") * kTera},
        {"H200", "h200-sxm", h200_triad, h200_roof(s, "bf16.gemm")}}) {
    const roofline::Roof stated =
        roofline::roof_of(s.machine(reached.id), roofline::Precision::kBf16);
    rows.push_back({reached.name,
                    fmt::format("{:.0f} ({:.0f} %)", reached.bandwidth / kGiga,
                                100 * reached.bandwidth / stated.bytes_per_second),
                    fmt::format("{:.0f} ({:.0f} %)", reached.product / kTera,
                                100 * reached.product / stated.flops_per_second),
                    fixed(roofline::ridge(stated), 0),
                    fixed(reached.product / reached.bandwidth, 0)});
  }
  return docs::markdown_table(
      {"machine", "triad, GB/s", "BF16 product, TFLOP/s", "ridge on paper", "ridge reached"}, rows);
})
// A B200's best published product.
double b200_product(const Sources& s) {
  return published(s, "288", "measured") * kTera;
}
roofline::Roof b200_roof(const Sources& s) {
  return roofline::roof_of(s.machine("b200-hgx"), roofline::Precision::kBf16);
}
DOC_FORMULA("02.b200.ridge", fixed(roofline::ridge(b200_roof(s)), 0))
DOC_FORMULA("02.b200.product", tera(b200_product(s), 0))
DOC_FORMULA("02.b200.product_percent",
            fixed(100 * b200_product(s) / b200_roof(s).flops_per_second, 0))
DOC_FORMULA("02.b200.share", fixed(b200_product(s) / b200_roof(s).flops_per_second, 3))
DOC_VALUE("02.b200.reached", [](const Sources& s) {
  constexpr double kStreams = 0.92;  // supposed in the text
  return fixed(b200_product(s) / (kStreams * b200_roof(s).bytes_per_second), 0);
})
DOC_VALUE("02.wave.percent", [](const Sources&) {
  // A product of side 1024 in tiles of 128 x 128: as many blocks as tiles of C.
  return fixed(100 * (1024.0 / 128) * (1024.0 / 128) / kA100Units, 0);
})

// --- The ladder of two cores (data/measured/cpu_ladder.csv): the best of 40 samples ---

std::string ratio_text(double upper, double lower) {
  return fixed(upper / lower, 1);
}
DOC_FORMULA("02.ladder.cpu_l2",
            ratio_text(docs::ladder_of_two_cores(s, "4096"), docs::ladder_of_two_cores(s, "65536")))
DOC_FORMULA("02.ladder.cpu_llc", ratio_text(docs::ladder_of_two_cores(s, "65536"),
                                            docs::ladder_of_two_cores(s, "1048576")))
DOC_FORMULA("02.ladder.cpu_dram", ratio_text(docs::ladder_of_two_cores(s, "1048576"),
                                             docs::ladder_of_two_cores(s, "16777216")))
double gpu_rung(const Sources& s, const char* n, const char* shift) {
  return s.measured_number("h200_ladder.csv", {{"n", n}, {"shift", shift}}, "gb_per_s");
}
DOC_FORMULA("02.ladder.gpu_l2",
            ratio_text(gpu_rung(s, "4194304", "0"), gpu_rung(s, "4194304", "1")))
DOC_FORMULA("02.ladder.gpu_dram",
            ratio_text(gpu_rung(s, "4194304", "1"), gpu_rung(s, "33554432", "1")))
// --- The output of a mistake ---

DOC_FORMULA("02.wrong.one_unit", tera(roofline::matrix_peak(kA100Units, 1, 256, kA100ClockHz), 0))
double h100_fp16_at_vector_clock() {
  return roofline::matrix_peak(kH100Units, kMatrixUnits, 512, kH100VectorClockHz);
}
DOC_FORMULA("02.wrong.fp16_at_vector_clock", tera(h100_fp16_at_vector_clock(), 0))
DOC_VALUE("02.wrong.clock_percent", [](const Sources&) {
  const double right = roofline::matrix_peak(kH100Units, kMatrixUnits, 512, kH100MatrixClockHz);
  return fixed(100 * (1 - right / h100_fp16_at_vector_clock()), 0);
})
DOC_VALUE("02.wrong.eager_mb", [](const Sources&) {
  constexpr double kArrays = 4;
  return fixed(kArrays * std::exp2(20) * sizeof(float) / kMega, 0);
})
DOC_VALUE("02.wrong.l1_mb", [](const Sources& s) {
  const roofline::Machine machine = s.machine("h200-sxm");
  return fixed(
      kH200Multiprocessors * roofline::memory_level(machine, "L1").capacity_bytes.value() / kMega,
      1);
})

DOC_FORMULA("02.ladder.cpu_pair", fixed(docs::ladder_of_two_cores(s, "16777216") / kGiga, 0))
DOC_FORMULA("02.ladder.cpu_cores", fixed(2 * roofline::cpu_memory_peak(12, 4800e6) /
                                             docs::ladder_of_two_cores(s, "16777216"),
                                         0))
DOC_VALUE("02.table.cpu_ladder", [](const Sources& s) {
  std::vector<docs::Row> rows;
  for (const auto& [n, size, level] : {std::tuple{"4096", "33 kB", "L1, 32 KiB a core"},
                                       {"65536", "524 kB", "L2, 1 MiB a core"},
                                       {"1048576", "8.4 MB", "LLC, 32 MiB shared"},
                                       {"16777216", "134 MB", "DRAM"}}) {
    rows.push_back({size, level, fixed(docs::ladder_of_two_cores(s, n) / kGiga, 0)});
  }
  return docs::markdown_table({"working set", "served by", "GB/s, two cores"}, rows);
})

std::string matrix_peak_percent(const Sources& sources, double rate) {
  const double peak = h200_peak(sources, roofline::Precision::kFp16, roofline::Unit::kMatrix);
  return fixed(100 * rate / peak, 0);
}

DOC_FORMULA("02.h200.matrix_percent", matrix_peak_percent(s, h200_flops(s, "matrix", kMatrixSize)))
DOC_FORMULA("02.h200.wgmma_tflop_s", tera(h200_roof(s, "fp16.matrix.wgmma"), 0))
DOC_FORMULA("02.h200.wgmma_percent", matrix_peak_percent(s, h200_roof(s, "fp16.matrix.wgmma")))
DOC_FORMULA("02.h200.gemm16_tflop_s", tera(h200_roof(s, "fp16.gemm"), 0))
DOC_FORMULA("02.h200.gemm16_percent", matrix_peak_percent(s, h200_roof(s, "fp16.gemm")))

// --- A framework's triad on the H200 (data/measured/h200_eager.csv) ---

double framework_rate(const Sources& sources, const std::string& expression) {
  return sources.measured_number("h200_eager.csv", {{"expression", expression}}, "gb_per_s");
}

DOC_FORMULA("02.h200.eager_gb_s", fixed(framework_rate(s, "eager"), 0))
DOC_FORMULA("02.h200.fused_gb_s", fixed(framework_rate(s, "fused"), 0))
DOC_FORMULA("02.h200.eager_ratio",
            fixed(framework_rate(s, "eager") / framework_rate(s, "fused"), 2))

// --- What ncu counted (data/measured/h200_counters.csv) ---

std::string counter(const Sources& sources, const std::string& kernel, const std::string& column) {
  return sources.measured_cell("h200_counters.csv", {{"kernel", kernel}}, column);
}

double count(const Sources& sources, const std::string& kernel, const std::string& column) {
  return std::stod(counter(sources, kernel, column));
}

std::string megabytes(const Sources& sources, const std::string& kernel, const std::string& column,
                      int digits) {
  return fixed(count(sources, kernel, column) / kMega, digits);
}

/// SAXPY of 2^25 elements in topic 03's profile of its own program.
roofline::KernelCounts profiled_saxpy(const Sources& sources) {
  const auto file =
      sources.data().parent_path() / "topics/03-roofline-modeling/profiles/kernels_h200.csv";
  for (const roofline::KernelProfile& kernel : roofline::import_profile(file).kernels) {
    if (kernel.name.find("Saxpy") != std::string::npos && kernel.counts) return *kernel.counts;
  }
  throw std::runtime_error(file.string() + " has no kernel Saxpy");
}
constexpr double kProfiledElements = 33554432;

DOC_FORMULA("02.ncu.saxpy.mb", fixed(profiled_saxpy(s).bytes.at("DRAM") / kMega, 1))
DOC_FORMULA("02.ncu.saxpy.per_element",
            fixed(profiled_saxpy(s).bytes.at("DRAM") / kProfiledElements, 2))
DOC_FORMULA("02.ncu.saxpy.flops",
            fmt::format("{:g}", profiled_saxpy(s).flops() / kProfiledElements))
DOC_FORMULA("02.ncu.when", counter(s, "triad", "date"))
DOC_FORMULA("02.ncu.triad.read_mb", megabytes(s, "triad", "dram_bytes_read", 0))
DOC_FORMULA("02.ncu.triad.written_mb", megabytes(s, "triad", "dram_bytes_written", 0))
DOC_FORMULA("02.ncu.triad.per_element",
            fmt::format("{:g}", count(s, "triad", "dfma") / count(s, "triad", "n")))
DOC_FORMULA("02.ncu.fma.read_mb", megabytes(s, "fma_chains", "dram_bytes_read", 1))
DOC_FORMULA("02.ncu.fma.written_mb", megabytes(s, "fma_chains", "dram_bytes_written", 1))
DOC_FORMULA("02.ncu.fma.per_element",
            fmt::format("{:g}", count(s, "fma_chains", "ffma") / count(s, "fma_chains", "n")))
DOC_FORMULA("02.ncu.matrix.read_mb", megabytes(s, "matrix", "dram_bytes_read", 1))
DOC_FORMULA("02.ncu.matrix.written_mb", megabytes(s, "matrix", "dram_bytes_written", 1))
DOC_VALUE("02.ncu.matrix.per_product", [](const Sources& s) {
  const double products = count(s, "matrix", "n") * count(s, "matrix", "iterations");
  return fmt::format("{:g}", count(s, "matrix", "tensor_instructions") / products);
})
DOC_FORMULA("02.ncu.matrix.ffma", counter(s, "matrix", "ffma"))

// --- The ladder of the H200 ---

constexpr const char* kRungs[] = {"2097152", "4194304", "33554432"};

std::string rung_mb(int rung) {
  return fixed(8 * std::stod(kRungs[rung]) / kMega, 1);
}
std::string rung_rate(const Sources& sources, int rung, const std::string& shift) {
  return fixed(sources.measured_number("h200_ladder.csv", {{"n", kRungs[rung]}, {"shift", shift}},
                                       "gb_per_s"),
               0);
}

DOC_FORMULA("02.h200.ladder.a_mb", rung_mb(0))
DOC_FORMULA("02.h200.ladder.b_mb", rung_mb(1))
DOC_FORMULA("02.h200.ladder.c_mb", rung_mb(2))
DOC_FORMULA("02.h200.ladder.a_own", rung_rate(s, 0, "0"))
DOC_FORMULA("02.h200.ladder.b_own", rung_rate(s, 1, "0"))
DOC_FORMULA("02.h200.ladder.c_own", rung_rate(s, 2, "0"))
DOC_FORMULA("02.h200.ladder.a_moving", rung_rate(s, 0, "1"))
DOC_FORMULA("02.h200.ladder.b_moving", rung_rate(s, 1, "1"))
DOC_FORMULA("02.h200.ladder.c_moving", rung_rate(s, 2, "1"))

// --- The ladder of an H100 at 67 MB, where moving pieces are faster than DRAM ---

constexpr const char* kBeyondL2 = "8388608";

std::string beyond_l2_gb(const Sources& s, const char* shift, const char* bytes) {
  return fixed(
      s.measured_number("h100_ladder_counters.csv", {{"n", kBeyondL2}, {"shift", shift}}, bytes) /
          kGiga,
      2);
}
std::string beyond_l2_rate(const Sources& s, const char* shift) {
  return fixed(
      s.measured_number("h100_ladder.csv", {{"n", kBeyondL2}, {"shift", shift}}, "gb_per_s"), 0);
}
DOC_FORMULA("02.h100.ladder.gb", beyond_l2_gb(s, "0", "bytes_requested"))
DOC_FORMULA("02.h100.ladder.dram_own", beyond_l2_gb(s, "0", "dram_bytes_read"))
DOC_FORMULA("02.h100.ladder.dram_moving", beyond_l2_gb(s, "1", "dram_bytes_read"))
DOC_FORMULA("02.h100.ladder.dram_101", beyond_l2_gb(s, "101", "dram_bytes_read"))
DOC_FORMULA("02.h100.ladder.own", beyond_l2_rate(s, "0"))
DOC_FORMULA("02.h100.ladder.moving", beyond_l2_rate(s, "1"))

// --- A launch in the measured time ---

DOC_FORMULA("02.launch.us", fixed(docs::launch_seconds(s) / kMicro, 1))
DOC_FORMULA("02.launch.half_mb",
            fixed(docs::launch_seconds(s) * docs::read_bandwidth(s) / kMega, 0))

// --- SAXPY, and the first numbers ---

DOC_FORMULA("a100.bandwidth_gb_s", fixed(roofline::memory_peak(1593e6, 5120) / kGiga, 0))
DOC_FORMULA("h200.dram_gb_s", fixed(h200_bandwidth(s) / kGiga, 0))
DOC_FORMULA("llm8b.step_ms", fixed(1e3 * docs::token_bound(s).stated, 2))
DOC_VALUE("little.h200_idle_mb", [](const Sources& sources) {
  const double latency = sources.machine("h200-sxm").multiprocessor.value().dram.latency_seconds;
  return fixed(h200_bandwidth(sources) * latency / kMega, 1);
})
constexpr double kL1BytesPerClock = 128;
constexpr double kPromisedL1 = kH200Multiprocessors * kL1BytesPerClock * kH100VectorClockHz;
DOC_FORMULA("02.l1.promised", tera(kPromisedL1, 1))
DOC_FORMULA("02.h200.l1_percent",
            fixed(100 * roofline::bandwidth(s.machine("h200-sxm"), "L1") / kPromisedL1, 0))
DOC_FORMULA("little.h200_mb", fixed(h200_bandwidth(s) * kLatencySeconds / kMega, 1))
DOC_FORMULA("little.h200_kb_per_sm",
            fixed(h200_bandwidth(s) * kLatencySeconds / kH200Multiprocessors / kKilo, 0))
DOC_FORMULA("h200.saxpy.plain_gb_s", saxpy_rate(s, "one element per thread"))
DOC_FORMULA("h200.saxpy.plain_percent", saxpy_percent(s, "one element per thread"))
DOC_FORMULA("h200.saxpy.four_gb_s", saxpy_rate(s, "four elements per thread"))
DOC_FORMULA("h200.saxpy.four_percent", saxpy_percent(s, "four elements per thread"))
DOC_FORMULA("h200.saxpy.float4_gb_s", saxpy_rate(s, "one float4 per thread"))
DOC_FORMULA("h200.saxpy.float4_percent", saxpy_percent(s, "one float4 per thread"))

// --- Worked examples ---

constexpr double kSaxpyElements = 268435456;  // 2^28
roofline::Operation saxpy28() {
  return roofline::axpy(kSaxpyElements, roofline::Precision::kFp32);
}
DOC_FORMULA("02.saxpy28.gb", fixed(saxpy28().bytes() / kGiga, 2))
DOC_FORMULA("02.saxpy28.gflop", fixed(saxpy28().flops / kGiga, 2))
DOC_FORMULA("02.saxpy28.memory_us",
            fixed(saxpy28().bytes() / roofline::bandwidth(s.machine("a100-80gb-sxm")) / kMicro, 0))
DOC_VALUE("02.saxpy28.compute_us", [](const Sources& s) {
  const roofline::Roof roof =
      roofline::roof_of(s.machine("a100-80gb-sxm"), roofline::Precision::kFp32);
  return fixed(saxpy28().flops / roof.flops_per_second / kMicro, 0);
})

roofline::Roof h200_paper(const Sources& s, roofline::Precision precision) {
  return roofline::roof_of(s.machine("h200-sxm"), precision);
}
DOC_FORMULA("02.h200.fp32_ridge",
            fixed(roofline::ridge(h200_paper(s, roofline::Precision::kFp32)), 1))
DOC_FORMULA("02.h200.ridge_paper",
            fixed(roofline::ridge(h200_paper(s, roofline::Precision::kBf16)), 0))
DOC_FORMULA("02.h200.ridge_reached", fixed(h200_roof(s, "bf16.gemm") / h200_roof(s, "triad"), 0))

/// A matrix peak of a B200 over that of an H100.
std::string b200_ratio(const Sources& s, roofline::Precision precision) {
  const auto peak = [&](const char* machine) {
    return roofline::find_peak(s.machine(machine), precision, roofline::Unit::kMatrix)
        ->operations_per_second;
  };
  return fixed(peak("b200-hgx") / peak("h100-sxm"), 1);
}
DOC_FORMULA("02.b200.fp16_ratio", b200_ratio(s, roofline::Precision::kFp16))
DOC_FORMULA("02.b200.fp64_ratio", b200_ratio(s, roofline::Precision::kFp64))

double triad_us(const Sources& s, const std::string& which) {
  return h200(s, "triad", kStreamSize, "seconds_" + which) / kMicro;
}
DOC_FORMULA("02.spread.min_us", fixed(triad_us(s, "min"), 1))
DOC_FORMULA("02.spread.median_us", fixed(triad_us(s, "median"), 1))
DOC_FORMULA("02.spread.max_us", fixed(triad_us(s, "max"), 1))
DOC_FORMULA("02.spread.percent",
            fixed(100 * (triad_us(s, "max") - triad_us(s, "min")) / triad_us(s, "median"), 1))
DOC_FORMULA("02.triad26.gb", fixed(24 * std::stod(kStreamSize) / kGiga, 2))
DOC_FORMULA("02.sum.least_us", fixed(8 * std::stod(kSumSize) / h200_roof(s, "read") / kMicro, 0))
DOC_FORMULA("02.gemm8192.tflop",
            tera(roofline::gemm(8192, 8192, 8192, roofline::Precision::kFp32).flops, 2))
DOC_FORMULA("02.gemm8192.ms", fixed(h200(s, "gemm", "8192", "seconds_median") / kMilli, 1))
DOC_FORMULA("02.h200.half_peak",
            tera(h200_peak(s, roofline::Precision::kFp16, roofline::Unit::kVector), 1))
DOC_FORMULA("02.h200.half_percent",
            fixed(100 * h200_flops(s, "packed_half", kHalfSize) /
                      h200_peak(s, roofline::Precision::kFp16, roofline::Unit::kVector),
                  0))
DOC_FORMULA("02.roof.read_share", fixed(h200_roof(s, "read") / h200_bandwidth(s), 2))
DOC_FORMULA("02.roof.read_half", fixed(h200_roof(s, "read") / h200_bandwidth(s) / 2, 2))

// The lab's triad with ordinary stores: 24 of the 32 bytes on the bus are counted.
double cpu_triad(const Sources& s) {
  return std::stod(cpu_cell(s, "triad", "reference"));
}
DOC_FORMULA("02.cpu.triad_gb_s", fixed(cpu_triad(s) / kGiga, 1))
DOC_FORMULA("02.cpu.triad_bus", fixed(cpu_triad(s) * 32 / 24 / kGiga, 1))

// A loop of 8 FLOP/B on one core and on all cores of an EPYC 9554.
constexpr double kLoopIntensity = 8;
roofline::Roof all_cores(const Sources& s) {
  return roofline::roof_of(s.machine("epyc-9554"), roofline::Precision::kFp32);
}
roofline::Roof one_core(const Sources& s) {
  return {all_cores(s).flops_per_second / 64, docs::ladder_of_two_cores(s, "16777216") / 2};
}
DOC_FORMULA("02.ladder.cpu_core", fixed(one_core(s).bytes_per_second / kGiga, 1))
DOC_FORMULA("02.cores.all", fixed(roofline::attainable(all_cores(s), kLoopIntensity) / kGiga, 0))
DOC_FORMULA("02.cores.times", fixed(roofline::attainable(all_cores(s), kLoopIntensity) /
                                        roofline::attainable(one_core(s), kLoopIntensity),
                                    0))

}  // namespace
