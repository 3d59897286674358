// SPDX-License-Identifier: MIT
// Numbers and tables of topic 01, AI basics.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <string>
#include <vector>

#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/measurement.hpp"
#include "roofline/peaks.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::markdown_table;
using docs::Row;
using docs::short_number;
using docs::Sources;
using namespace roofline;

constexpr Precision kFp32 = Precision::kFp32;
constexpr Precision kFp16 = Precision::kFp16;
constexpr double kMany = 1e9;  // elements: so many that one more makes no difference
constexpr double kSide = 4096;
using namespace base::prefixes;
constexpr double kGridRows = 6144, kGridColumns = 9216;  // of the profiled stencils
constexpr Roof kA100Fp32{19.5e12, 2039e9};
constexpr Roof kA100Fp16{312e12, 2039e9};

std::string per_element(double amount) {
  return short_number(amount / kMany);
}

Row row_of(const std::string& name, const Operation& wide, const Operation& narrow) {
  return {name, per_element(wide.flops), per_element(wide.bytes()), short_number(wide.intensity()),
          short_number(narrow.intensity())};
}

DOC_FORMULA("ai.vector_add", fixed(vector_add(kMany, kFp32).intensity(), 4))
DOC_FORMULA("ai.saxpy", fixed(axpy(kMany, kFp32).intensity(), 4))
DOC_FORMULA("ai.dot", fixed(dot(kMany, kFp32).intensity(), 2))
DOC_FORMULA("ai.stencil5", fixed(stencil(kMany, 5, kFp32).intensity(), 1))

DOC_FORMULA("01.gemv4096.ai", fixed(gemv(3 * kSide, kSide, kFp16).intensity(), 1))
// The product for queries, keys and values.
constexpr DenseLayer kQkv = {kSide, 3 * kSide, 2, 2};
Operation qkv(double tokens) {
  return gemm(tokens, 3 * kSide, kSide, kFp16);
}
constexpr double kPromptTokens = 8 * 2048;
DOC_FORMULA("01.prefill.ai", fixed(qkv(kPromptTokens).intensity(), 0))
DOC_FORMULA("01.qkv64.ai", fixed(layer_intensity(kQkv, 64), 1))
DOC_VALUE("01.qkv.critical", [](const Sources& sources) {
  const double fp16_ridge = ridge(roof_of(sources.machine("a100-80gb-sxm"), kFp16));
  return fixed(critical_batch(kQkv, fp16_ridge).value(), 0);
})
DOC_FORMULA("01.h100.flops_ratio",
            fixed(roof_of(s.machine("h100-sxm"), kFp16).flops_per_second /
                      roof_of(s.machine("a100-80gb-sxm"), kFp16).flops_per_second,
                  1))
DOC_FORMULA("01.h100.bytes_ratio",
            fixed(bandwidth(s.machine("h100-sxm")) / bandwidth(s.machine("a100-80gb-sxm")), 1))
DOC_FORMULA("01.a100.ridge_fp16", fixed(ridge(roof_of(s.machine("a100-80gb-sxm"), kFp16)), 0))

Operation addition() {
  return vector_add(std::exp2(26), kFp32);
}
DOC_FORMULA("01.add26.mflop", fixed(addition().flops / kMega, 1))
DOC_FORMULA("01.add26.compute_us", fixed(addition().flops / kA100Fp32.flops_per_second * kMega, 1))
DOC_FORMULA("01.add26.mb", fixed(addition().bytes() / kMega, 1))
DOC_FORMULA("01.add26.us", fixed(time_seconds(kA100Fp32, addition()) * kMega, 0))

DOC_VALUE("01.add26.idle_percent", [](const Sources&) {
  const double compute = addition().flops / kA100Fp32.flops_per_second;
  return fixed(100 * (1 - compute / time_seconds(kA100Fp32, addition())), 0);
})

// Worked examples on the A100 of 1.5: amounts, and the times that arithmetic and traffic take.
double compute_seconds(const Operation& operation, const Roof& roof = kA100Fp32) {
  return operation.flops / roof.flops_per_second;
}
double memory_seconds(const Operation& operation) {
  return operation.bytes() / kA100Fp32.bytes_per_second;
}
DOC_FORMULA("01.qkv.weights_mb", fixed(3 * kSide * kSide * bytes_per_element(kFp16) / kMega, 1))
DOC_FORMULA("01.qkv.one.mflop", fixed(qkv(1).flops / kMega, 1))
DOC_FORMULA("01.qkv.one.compute_us", fixed(compute_seconds(qkv(1), kA100Fp16) / kMicro, 1))
DOC_FORMULA("01.qkv.one.memory_us", fixed(memory_seconds(qkv(1)) / kMicro, 0))
DOC_FORMULA("01.qkv.many.tflop", fixed(qkv(kPromptTokens).flops / kTera, 2))
DOC_FORMULA("01.qkv.many.compute_ms",
            fixed(compute_seconds(qkv(kPromptTokens), kA100Fp16) / kMilli, 1))
DOC_FORMULA("01.qkv.many.mb", fixed(qkv(kPromptTokens).bytes() / kMega, 0))
DOC_FORMULA("01.qkv.many.memory_ms", fixed(memory_seconds(qkv(kPromptTokens)) / kMilli, 2))

Operation update() {
  return axpy(std::exp2(28), kFp32);
}
DOC_FORMULA("01.update.gb", fixed(update().bytes() / kGiga, 2))
DOC_FORMULA("01.update.gib", fixed(update().bytes() / kGibi, 2))
DOC_FORMULA("01.update.ms", fixed(memory_seconds(update()) / kMilli, 2))

Operation grid(StencilReuse reuse) {
  return stencil(kSide * kSide, 5, kFp32, reuse);
}
template <StencilReuse kReuse>
std::string grid_mb(const Sources&) {
  return fixed(grid(kReuse).bytes() / kMega, 0);
}
template <StencilReuse kReuse>
std::string grid_us(const Sources&) {
  return fixed(memory_seconds(grid(kReuse)) / kMicro, 0);
}
DOC_FORMULA("01.grid.mflop", fixed(grid(StencilReuse::kPerfect).flops / kMega, 0))
DOC_FORMULA("01.grid.compute_us", fixed(compute_seconds(grid(StencilReuse::kPerfect)) / kMicro, 1))
DOC_VALUE("01.grid.cached_mb", grid_mb<StencilReuse::kPerfect>)
DOC_VALUE("01.grid.cached_us", grid_us<StencilReuse::kPerfect>)
DOC_VALUE("01.grid.uncached_mb", grid_mb<StencilReuse::kNone>)
DOC_VALUE("01.grid.uncached_us", grid_us<StencilReuse::kNone>)

Operation square_gemv() {
  return gemv(kSide, kSide, kFp32);
}
Operation square_gemm() {
  return gemm(kSide, kSide, kSide, kFp32);
}
DOC_FORMULA("01.gemv.compute_us", fixed(compute_seconds(square_gemv()) / kMicro, 1))
DOC_FORMULA("01.gemv.memory_us", fixed(memory_seconds(square_gemv()) / kMicro, 0))
DOC_FORMULA("01.gemm.compute_ms", fixed(compute_seconds(square_gemm()) / kMilli, 1))
DOC_FORMULA("01.gemm.memory_ms", fixed(memory_seconds(square_gemm()) / kMilli, 1))

Operation layer_of_64() {
  return gemm(64, kSide, kSide, kFp16);
}
DOC_FORMULA("01.linear64.ai", short_number(layer_of_64().intensity()))
DOC_FORMULA("01.linear64.gflop", short_number(layer_of_64().flops / kGiga))
DOC_FORMULA("01.linear64.mb", short_number(layer_of_64().bytes() / kMega))

DOC_FORMULA("01.conv7.ai", short_number(convolution({1, 512, 512, 7, 7, 3, 3}, kFp16).intensity()))

// A claim of 1.14: the rate of an addition, with its store left out and right.
DOC_VALUE("01.hunt.claimed", [](const Sources&) {
  const Operation one = vector_add(1, kFp32);
  return fixed(attainable(kA100Fp32, one.flops / one.bytes_read) / kGiga, 0);
})
DOC_FORMULA("01.hunt.right",
            fixed(attainable(kA100Fp32, vector_add(1, kFp32).intensity()) / kGiga, 0))
DOC_VALUE("01.a100.ridge_fp16_vector", [](const Sources& sources) {
  const Machine a100 = sources.machine("a100-80gb-sxm");
  const Peak* peak = find_peak(a100, kFp16, Unit::kVector);
  return fixed(ridge({peak->operations_per_second, bandwidth(a100)}), 0);
})

// The effect of a mistake: multiply-adds counted as FLOPs, two times added up.
constexpr double kResNetMultiplyAdds = 4.1e9;
DOC_FORMULA("01.wrong.flops_us",
            fixed(2 * kResNetMultiplyAdds / kA100Fp32.flops_per_second * kMega, 0))
DOC_FORMULA("01.wrong.macs_us", fixed(kResNetMultiplyAdds / kA100Fp32.flops_per_second * kMega, 0))
DOC_VALUE("01.wrong.fp64_percent", [](const Sources& sources) {
  const Roof roof = roof_of(sources.machine("rtx-3090"), Precision::kFp64);
  const Operation sum = vector_add(kMany, Precision::kFp64);
  return fixed(100 * (sum.flops / roof.flops_per_second) / (sum.bytes() / roof.bytes_per_second),
               0);
})

const Row kElementHeads = {"operation", "FLOPs per element", "bytes in FP32", "FLOP/B in FP32",
                           "FLOP/B in FP16"};

DOC_FORMULA(
    "01.table.rows",
    markdown_table(
        kElementHeads,
        {row_of("residual addition", residual_add(kMany, kFp32), residual_add(kMany, kFp16)),
         row_of("ReLU", relu(kMany, kFp32), relu(kMany, kFp16)),
         row_of("dropout, mask drawn on the fly", dropout(kMany, kFp32), dropout(kMany, kFp16)),
         row_of("SiLU", silu(kMany, kFp32), silu(kMany, kFp16)),
         row_of("GELU (tanh form)", gelu(kMany, kFp32), gelu(kMany, kFp16)),
         row_of("softmax of a row", softmax(1, kMany, kFp32), softmax(1, kMany, kFp16)),
         row_of("RMSNorm", rms_norm(1, kMany, kFp32), rms_norm(1, kMany, kFp16)),
         row_of("LayerNorm", layer_norm(1, kMany, kFp32), layer_norm(1, kMany, kFp16))}))

Row stencil_row(const std::string& name, double points, bool coefficients) {
  const Operation cached = stencil(kMany, points, kFp32, StencilReuse::kPerfect, coefficients);
  const Operation uncached = stencil(kMany, points, kFp32, StencilReuse::kNone, coefficients);
  return {
      name, per_element(cached.flops),
      fmt::format("{} over {} B", short_number(cached.intensity()), per_element(cached.bytes())),
      fmt::format("{} over {} B", short_number(uncached.intensity()),
                  per_element(uncached.bytes()))};
}

DOC_FORMULA("01.table.stencils",
            markdown_table({"stencil, FP32", "FLOPs per point", "FLOP/B, neighbours cached",
                            "FLOP/B, nothing cached"},
                           {stencil_row("5 points, added", 5, false),
                            stencil_row("7 points in 3-D, added", 7, false),
                            stencil_row("7 points with coefficients", 7, true),
                            stencil_row("3x3 convolution of one image", 9, true)}))

Row blas_row(const std::string& routine, const std::string& what, const Operation& operation,
             const std::string& large) {
  return {routine,
          what,
          short_number(operation.flops / kMega),
          short_number(operation.bytes() / kMega),
          short_number(operation.intensity()),
          large};
}

/// "n/6", from the operation at one size.
std::string fraction_of_n(const Operation& operation) {
  return fmt::format("n/{:.0f}", kSide / operation.intensity());
}

Row blas3_row(const std::string& routine, const std::string& what, const Operation& operation) {
  return blas_row(routine, what, operation, fraction_of_n(operation));
}

DOC_VALUE("01.table.blas", [](const Sources&) {
  const double n = kSide;
  const auto fixed = [](const Operation& operation) { return short_number(operation.intensity()); };
  const double large = 1e7;
  return markdown_table(
      {"routine", "what", "MFLOP", "MB", "FLOP/B", "for large n"},
      {blas_row("COPY", "y = x", copy(n, kFp32), fixed(copy(large, kFp32))),
       blas_row("SCAL", "x = a x", scal(n, kFp32), fixed(scal(large, kFp32))),
       blas_row("AXPY", "y = a x + y", axpy(n, kFp32), fixed(axpy(large, kFp32))),
       blas_row("DOT", "x . y", dot(n, kFp32), fixed(dot(large, kFp32))),
       blas_row("NRM2", "length of x", nrm2(n, kFp32), fixed(nrm2(large, kFp32))),
       blas_row("ASUM", "sum of magnitudes", asum(n, kFp32), fixed(asum(large, kFp32))),
       blas_row("GEMV", "y = A x", gemv(n, n, kFp32), fixed(gemv(large, large, kFp32))),
       blas_row("SYMV", "A symmetric, one triangle stored", symv(n, kFp32),
                fixed(symv(large, kFp32))),
       blas_row("TRMV", "x = A x, A triangular", trmv(n, kFp32), fixed(trmv(large, kFp32))),
       blas_row("GER", "A = A + x y^T", ger(n, n, kFp32), fixed(ger(large, large, kFp32))),
       blas3_row("GEMM", "C = A B", gemm(n, n, n, kFp32)),
       blas3_row("GEMM, C read", "C = A B + b C", gemm(n, n, n, kFp32, true)),
       blas3_row("SYMM", "A symmetric", symm(n, n, kFp32)),
       blas3_row("SYRK", "C = A A^T, one triangle", syrk(n, n, kFp32)),
       blas3_row("TRMM", "B = A B, A triangular, in place", trmm(n, n, kFp32))});
})

DOC_VALUE("01.table.gemm", [](const Sources&) {
  std::vector<Row> rows;
  for (const double n : {128, 512, 1024, 2048, 4096}) {
    rows.push_back({short_number(n), short_number(gemm(n, n, n, kFp32).flops / kGiga),
                    short_number(gemm(n, n, n, kFp32).intensity()),
                    short_number(gemm(n, n, n, kFp16).intensity())});
  }
  return markdown_table({"n", "GFLOP", "FLOP/B in FP32", "FLOP/B in FP16"}, rows);
})

DOC_VALUE("01.table.linear", [](const Sources& sources) {
  const Roof roof = roof_of(sources.machine("a100-80gb-sxm"), kFp16);
  std::vector<Row> rows;
  for (const double batch : {1, 4, 16, 64, 128, 256, 512, 1024}) {
    const Operation layer = gemm(batch, kSide, kSide, kFp16);
    rows.push_back({short_number(batch), short_number(layer.flops / kGiga),
                    short_number(layer.bytes() / kMega), short_number(layer.intensity()),
                    to_string(classify(roof, layer.intensity()))});
  }
  return markdown_table({"batch", "GFLOP", "MB", "FLOP/B", "on an A100"}, rows);
})

DOC_VALUE("01.table.convolutions", [](const Sources&) {
  std::vector<Row> rows;
  for (const Convolution& shape :
       {Convolution{1, 64, 64, 56, 56, 3, 3}, Convolution{32, 64, 64, 56, 56, 3, 3},
        Convolution{1, 512, 512, 7, 7, 3, 3}, Convolution{32, 512, 512, 7, 7, 3, 3}}) {
    const Operation layer = convolution(shape, kFp16);
    rows.push_back({short_number(shape.batch), fmt::format("{0} x {0}", short_number(shape.height)),
                    fmt::format("{} to {}", shape.in_channels, shape.out_channels),
                    short_number(layer.flops / kGiga), short_number(layer.bytes() / kMega),
                    short_number(layer.intensity())});
  }
  return markdown_table({"images", "size", "channels", "GFLOP", "MB in FP16", "FLOP/B"}, rows);
})

// Tiling.
Operation tiled(double tile, bool cache_reuse = true) {
  return tiled_gemm(kSide, kSide, kSide, tile, kFp32, cache_reuse);
}
double tile_loads(double tile) {
  return tiled(tile).inner.front().bytes - tiled(tile).bytes_written;
}
template <int kTile>
std::string tile_intensity(const Sources&) {
  return short_number(tiled(kTile).flops / tile_loads(kTile));
}
template <int kTile>
std::string tile_gigabytes(const Sources&) {
  return fixed(tile_loads(kTile) / kGiga, 1);
}
Operation naive() {
  return naive_gemm(kSide, kSide, kSide, kFp32);
}
DOC_FORMULA("01.gemm.ai_loads", short_number(naive().flops / naive().inner.front().bytes))
DOC_FORMULA("01.gemm.loads_gb", fixed(naive().inner.front().bytes / kGiga, 1))
DOC_VALUE("01.tile16.ai", tile_intensity<16>)
DOC_VALUE("01.tile16.gb", tile_gigabytes<16>)
DOC_VALUE("01.tile32.ai", tile_intensity<32>)
DOC_VALUE("01.tile32.gb", tile_gigabytes<32>)
DOC_VALUE("01.tile128.ai", tile_intensity<128>)
DOC_VALUE("01.tile128.gb", tile_gigabytes<128>)
DOC_FORMULA("01.gemm4096.ai", fixed(naive().intensity(), 1))
DOC_FORMULA("01.gemm4096.gb", fixed(naive().bytes() / kGiga, 1))
DOC_FORMULA("01.gemm.ai_dram", fixed(tiled(128, false).intensity(), 1))
DOC_FORMULA("01.rtx3090.ridge", fixed(ridge(roof_of(s.machine("rtx-3090"), kFp32)), 1))
DOC_VALUE("01.cpu.rows_kb", [](const Sources&) {
  constexpr double kRows = 3;
  return fixed(kRows * kGridColumns * bytes_per_element(kFp32) / kKilo, 0);
})

// The hunt.
DOC_FORMULA("01.h100.fp16", fixed(matrix_peak(132, 4, 512, 1.83e9) / kTera, 0))

DOC_VALUE("01.table.precisions", [](const Sources& sources) {
  const Machine a100 = sources.machine("a100-80gb-sxm");
  std::vector<Row> rows;
  for (const Precision precision :
       {kFp32, Precision::kTf32, kFp16, Precision::kInt8, Precision::kInt4}) {
    const Roof roof = roof_of(a100, precision);
    const double bytes = bytes_per_element(precision);
    const double intensity = layer_intensity({kSide, kSide, bytes, bytes}, 1);
    rows.push_back({display_name(precision), short_number(intensity), short_number(ridge(roof)),
                    fmt::format("{:.2f} %", 100 * intensity / ridge(roof))});
  }
  const double weight_only = layer_intensity({kSide, kSide, 0.5, 2}, 1);
  const double fp16_ridge = ridge(roof_of(a100, kFp16));
  rows.push_back({"INT4 weights, FP16 arithmetic", short_number(weight_only),
                  short_number(fp16_ridge),
                  fmt::format("{:.2f} %", 100 * weight_only / fp16_ridge)});
  return markdown_table(
      {"4096 x 4096 layer, batch 1, A100", "FLOP/B", "ridge", "part of the ridge"}, rows);
})

// Measured on an H200 with the reference kernels; data/measured/README.md says how.
constexpr const char* kSpeeds = "topic01_h200.csv";
constexpr const char* kProfile = "topic01_h200_ncu.csv";

double speed_cell(const Sources& sources, const std::string& kernel, const std::string& column) {
  return sources.measured_number(kSpeeds, {{"kernel", kernel}}, column);
}

double profiled(const Sources& sources, const std::string& kernel, const std::string& column) {
  return sources.measured_number(kProfile, {{"kernel", kernel}}, column);
}

/// The stream of the same H200 with these shares of reads and writes.
MemoryStream h200_stream(const Sources& sources, double read, double written) {
  const Report report = read_report(sources.measured("h200_roofs_quick.json"));
  return stream_of_mix(machine_from_report(report), read, written);
}
MemoryStream stencil_stream(const Sources& sources) {
  return h200_stream(sources, 1, 1);
}
MemoryStream reduction_stream(const Sources& sources) {
  return h200_stream(sources, 1, 0);
}

Row speed_row(const Sources& sources, const std::string& kernel, const std::string& size,
              const MemoryStream& roof) {
  const double rate = speed_cell(sources, kernel, "gb_per_s");
  return {fmt::format("`{}`", kernel), size, fixed(rate, 0),
          fmt::format("{:.0f} %", 100 * rate * kGiga / roof.bytes_per_second)};
}

Row speed_heads(const MemoryStream& roof) {
  return {"kernel", "size", "GB/s", fmt::format("of `{}`", roof.name)};
}

DOC_FORMULA("01.h200.copy", fixed(stencil_stream(s).bytes_per_second / kGiga, 0))
DOC_FORMULA("01.h200.read", fixed(reduction_stream(s).bytes_per_second / kGiga, 0))

DOC_VALUE("01.table.h200_stencils", [](const Sources& sources) {
  const MemoryStream roof = stencil_stream(sources);
  return markdown_table(speed_heads(roof),
                        {speed_row(sources, "stencil5", "8192 x 12288", roof),
                         speed_row(sources, "stencil5_tiled", "8192 x 12288", roof),
                         speed_row(sources, "stencil5_fast", "8192 x 12288", roof),
                         speed_row(sources, "stencil7", "512 x 513 x 514", roof)});
})

DOC_VALUE("01.table.h200_reductions", [](const Sources& sources) {
  const MemoryStream roof = reduction_stream(sources);
  return markdown_table(speed_heads(roof), {speed_row(sources, "sum", "2^28", roof),
                                            speed_row(sources, "dot", "2^27", roof)});
})

double profiled_flops(const Sources& sources, const std::string& kernel) {
  return profiled(sources, kernel, "fadd") + profiled(sources, kernel, "fmul") +
         2 * profiled(sources, kernel, "ffma");
}

/// FLOPs of a sweep over the grid of the profiled launch.
double profiled_stencil5_flops() {
  return stencil((kGridRows - 2) * (kGridColumns - 2), 5, kFp32).flops;
}

template <const auto& kKernel>
std::string intensity_at_dram(const Sources& sources) {
  return short_number(profiled_flops(sources, kKernel) / profiled(sources, kKernel, "dram_bytes"));
}
constexpr char kMatmul[] = "matmul";
constexpr char kMatmulTiled[] = "matmul_tiled";
DOC_VALUE("01.matmul.ai_dram", intensity_at_dram<kMatmul>)
DOC_VALUE("01.matmul_tiled.ai_dram", intensity_at_dram<kMatmulTiled>)
DOC_FORMULA("01.matmul_tiled.faster",
            fixed(profiled(s, kMatmul, "nanoseconds") / profiled(s, kMatmulTiled, "nanoseconds"),
                  1))
DOC_VALUE("01.stencil5_fast.more_percent", [](const Sources& sources) {
  const double more = profiled_flops(sources, "stencil5_fast") / profiled_stencil5_flops() - 1;
  return fixed(100 * more, 2);
})

// Folded answers of the labs.
double rate_over_naive(const Sources& sources, double gigabytes_per_second) {
  return gigabytes_per_second / speed_cell(sources, "stencil5", "gb_per_s");
}
DOC_FORMULA("q.01.fast_at_best",
            fixed(rate_over_naive(s, stencil_stream(s).bytes_per_second / kGiga), 1))
DOC_VALUE("q.01.fast_measured", [](const Sources& sources) {
  const double rate = speed_cell(sources, "stencil5_fast", "gb_per_s");
  return fixed(rate_over_naive(sources, rate), 1);
})
constexpr int kBoxInside = 16 * 17 * 18;
constexpr int kBoxFaces = 18 * 19 * 20 - kBoxInside;
DOC_FORMULA("q.01.box_inside", fmt::to_string(kBoxInside))
DOC_FORMULA("q.01.box_faces", fmt::to_string(kBoxFaces))
DOC_FORMULA("q.01.box_additions", fmt::to_string(6 * kBoxInside))
DOC_FORMULA("q.01.box_loads", fmt::to_string(7 * kBoxInside + kBoxFaces))
DOC_FORMULA("q.01.box_stores", fmt::to_string(kBoxInside + kBoxFaces))
template <const auto& kKernel>
std::string reduction_rate(const Sources& sources) {
  return fixed(speed_cell(sources, kKernel, "gflop_per_s"), 0);
}
constexpr char kSum[] = "sum";
constexpr char kDot[] = "dot";
DOC_VALUE("q.01.sum_gflops", reduction_rate<kSum>)
DOC_VALUE("q.01.dot_gflops", reduction_rate<kDot>)

/// The formula's values for one launch.
struct Launch {
  std::string kernel;
  double flops = 0;
  double bytes = 0;
};

std::vector<Launch> profiled_launches() {
  const double grid_flops = profiled_stencil5_flops();
  const double grid_bytes = stencil(kGridRows * kGridColumns, 5, kFp32).bytes();
  const Operation sum_model = sum(std::exp2(27), kFp32);
  const Operation dot_model = dot(std::exp2(26), kFp32);
  const Operation product = gemm(1024, 2048, 3072, kFp32);
  return {{"stencil5", grid_flops, grid_bytes},
          {"stencil5_tiled", grid_flops, grid_bytes},
          {"stencil5_fast", grid_flops, grid_bytes},
          {"stencil7", stencil(382.0 * 383 * 384, 7, kFp32).flops,
           stencil(384.0 * 385 * 386, 7, kFp32).bytes()},
          {"sum", sum_model.flops, sum_model.bytes()},
          {"dot", dot_model.flops, dot_model.bytes()},
          {"matmul", product.flops, product.bytes()},
          {"matmul_tiled", product.flops, product.bytes()}};
}

std::string megas(double amount) {
  return fixed(amount / kMega, 1);
}

DOC_FORMULA("01.matmul.issued_mb",
            fixed(naive_gemm(1024, 2048, 3072, kFp32).inner.front().bytes / kMega, 0))

DOC_VALUE("01.table.profile_flops", [](const Sources& sources) {
  std::vector<Row> rows;
  for (const Launch& launch : profiled_launches()) {
    const double seen = profiled_flops(sources, launch.kernel);
    rows.push_back({fmt::format("`{}`", launch.kernel), megas(launch.flops), megas(seen),
                    short_number(launch.flops / launch.bytes),
                    short_number(seen / profiled(sources, launch.kernel, "dram_bytes"))});
  }
  return markdown_table({"kernel", "MFLOP, formula", "MFLOP, profiler", "FLOP/B, formula",
                         "FLOP/B at DRAM, profiler"},
                        rows);
})

DOC_VALUE("01.table.profile_bytes", [](const Sources& sources) {
  constexpr double kSector = 32;
  std::vector<Row> rows;
  for (const Launch& launch : profiled_launches()) {
    rows.push_back({fmt::format("`{}`", launch.kernel), megas(launch.bytes),
                    megas(profiled(sources, launch.kernel, "dram_bytes")),
                    megas(kSector * profiled(sources, launch.kernel, "l2_sectors_read"))});
  }
  return markdown_table({"kernel", "MB, formula", "MB at DRAM", "MB read from L2"}, rows);
})

/// An exercise and those that use the same claim: "`01.claims.roofs.holds`, `.value`".
std::string exercises_about(const toml::table& exercises, const std::string& id) {
  std::string names = fmt::format("`{}`", id);
  for (const toml::node& node : *exercises["exercise"].as_array()) {
    const toml::table& exercise = *node.as_table();
    const toml::node_view<const toml::node> claim = exercise["parameters"]["claim"];
    if (claim["same_as"].value<std::string>() != id) continue;
    const std::string other = exercise["id"].value<std::string>().value();
    names += fmt::format(", `{}`", other.substr(other.rfind('.')));
  }
  return names;
}

/// The canonical claims of the exercises 01.claims.*, as the course shows them without variants.
DOC_VALUE("01.table.claims", [](const Sources& sources) {
  const toml::table exercises = toml::parse_file(
      (sources.data() / "../topics/01-ai-basics/exercises.toml").lexically_normal().string());
  std::vector<Row> rows;
  for (const toml::node& node : *exercises["exercise"].as_array()) {
    const toml::table& exercise = *node.as_table();
    const toml::node_view<const toml::node> claim = exercise["parameters"]["claim"];
    const auto shared = claim["same_as"].value<std::string>();
    if (!claim || shared) continue;  // the second exercise about a claim is listed with the first
    const std::string file = claim["texts"].value<std::string>().value();
    const toml::table claims =
        toml::parse_file((sources.data() / ".." / file).lexically_normal().string());
    for (const toml::node& entry : *claims["claim"].as_array()) {
      const toml::table& text = *entry.as_table();
      if (text["number"].value<double>() != claim["canonical"].value<double>()) continue;
      rows.push_back({exercises_about(exercises, exercise["id"].value<std::string>().value()),
                      text["claim"].value<std::string>().value()});
    }
  }
  return markdown_table({"exercise", "claim"}, rows);
})

}  // namespace
