// SPDX-License-Identifier: MIT
// Reference values for topic 01's numbers and choices, computed by the library, and the values that
// common mistakes lead to.
#include <cmath>
#include <set>
#include <string>

#include "harness/answer.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/machine.hpp"
#include "roofline/operation.hpp"

namespace {

using namespace roofline;
using harness::Answer;
using harness::Parameters;

constexpr Precision kFp32 = Precision::kFp32;
constexpr Precision kFp16 = Precision::kFp16;
constexpr double kMany = 1e9;  // elements: so many that one more makes no difference
constexpr double kFeatures = 4096;
constexpr double kMicroseconds = 1e6;

constexpr Roof kA100Fp16{312e12, 2039e9};
constexpr Roof kRtx3090{35.6e12, 936e9};
constexpr Roof kRtx3090Fp64{0.556e12, 936e9};
constexpr Roof kT4{8.1e12, 320e9};

Answer intensity(double flops, double bytes) {
  return Answer::number(arithmetic_intensity(flops, bytes), "FLOP/B");
}
Answer intensity(const Operation& operation) {
  return Answer::number(operation.intensity(), "FLOP/B");
}
Answer half_the_intensity(const Operation& operation) {
  return intensity(operation.flops / 2, operation.bytes());
}
Answer bound(const Roof& roof, double flops_per_byte) {
  return Answer::choice(to_string(classify(roof, flops_per_byte)));
}

// Counting.
HARNESS_ANSWER("01.count.mac", [](const Parameters& p) {
  const Operation macs = axpy(p["gmacs"], kFp32);  // one multiply-add an element
  return Answer::number(macs.flops, "GFLOP");
})
HARNESS_FORMULA("01.count.mac/macs", Answer::number(p["gmacs"], "GFLOP"))
HARNESS_FORMULA("01.count.mac/four", Answer::number(2 * axpy(p["gmacs"], kFp32).flops, "GFLOP"))

double array_bytes(const Parameters& p) {
  return std::exp2(p["exponent"]) * bytes_per_element(kFp32);
}
HARNESS_FORMULA("01.count.arrays", Answer::number(2 * array_bytes(p), "B"))
HARNESS_FORMULA("01.count.arrays/one", Answer::number(array_bytes(p), "B"))
HARNESS_FORMULA("01.count.arrays/gib", Answer::number(2 * array_bytes(p) / std::exp2(30), "GB"))
HARNESS_FORMULA("01.count.arrays/bits", Answer::number(2 * 8 * array_bytes(p), "B"))

HARNESS_ANSWER("01.count.write_allocate", [](const Parameters&) {
  const Operation one = copy(1, Precision::kFp64);
  return Answer::number(one.bytes() + one.bytes_written, "B");
})

// Elementary operations.
Precision float_of(double bits) {
  return parse_precision("fp" + std::to_string(static_cast<int>(bits)));
}
HARNESS_FORMULA("01.add.ai", intensity(vector_add(kMany, float_of(p["bits"]))))
HARNESS_FORMULA("01.saxpy.ai", intensity(axpy(kMany, kFp32)))
HARNESS_FORMULA("01.dot.ai", intensity(dot(kMany, float_of(p["bits"]))))
HARNESS_FORMULA("01.sum.ai", intensity(sum(kMany, float_of(p["bits"]))))
HARNESS_FORMULA("01.stencil5.ai", intensity(stencil(kMany, 5, float_of(p["bits"]))))
HARNESS_FORMULA("01.stencil5.ai_uncached",
                intensity(stencil(kMany, 5, float_of(p["bits"]), StencilReuse::kNone)))
HARNESS_FORMULA("01.stencil7.ai_added", intensity(stencil(kMany, 7, float_of(p["bits"]))))
HARNESS_FORMULA("01.stencil7.ai",
                intensity(stencil(kMany, 7, float_of(p["bits"]), StencilReuse::kPerfect, true)))
HARNESS_FORMULA("01.conv3x3.ai",
                intensity(stencil(kMany, 9, float_of(p["bits"]), StencilReuse::kPerfect, true)))

Operation layer_norm_of(double element_bytes) {
  Operation norm = layer_norm(1, kMany, kFp32);
  norm.bytes_read = norm.bytes_written = kMany * element_bytes;
  return norm;
}
HARNESS_FORMULA("01.layernorm.ai", intensity(layer_norm_of(p["bytes"])))
HARNESS_FORMULA("01.layernorm.ai/wide", intensity(layer_norm_of(2 * p["bytes"])))
HARNESS_ANSWER("01.layernorm.ai/two_reads", [](const Parameters& p) {
  const Operation norm = layer_norm_of(p["bytes"]);
  return intensity(norm.flops, 2 * norm.bytes_read + norm.bytes_written);
})
HARNESS_ANSWER("01.layernorm.ai/read_only", [](const Parameters& p) {
  const Operation norm = layer_norm_of(p["bytes"]);
  return intensity(norm.flops, norm.bytes_read);
})

/// RMSNorm that reads the scale this many times.
Operation rms_norm_of(const Parameters& p, double scale_reads, Precision precision = kFp16) {
  Operation norm = rms_norm(p["rows"], p["columns"], precision);
  norm.bytes_read += scale_reads * p["columns"] * bytes_per_element(precision);
  return norm;
}
HARNESS_FORMULA("01.rmsnorm.ai", intensity(rms_norm_of(p, 1)))
HARNESS_FORMULA("01.rmsnorm.ai/no_scale", intensity(rms_norm_of(p, 0)))
HARNESS_FORMULA("01.rmsnorm.ai/scale_per_row", intensity(rms_norm_of(p, p["rows"])))
HARNESS_FORMULA("01.rmsnorm.ai/fp32", intensity(rms_norm_of(p, 1, kFp32)))
HARNESS_ANSWER("01.rmsnorm.ai/read_only", [](const Parameters& p) {
  const Operation norm = rms_norm_of(p, 1);
  return intensity(norm.flops, norm.bytes_read);
})

// Products.
HARNESS_FORMULA("01.gemv.ai", intensity(gemv(p["n"], p["n"], float_of(p["bits"]))))

Operation square_gemm(const Parameters& p, Precision precision = kFp32, bool read_c = false) {
  return gemm(p["n"], p["n"], p["n"], precision, read_c);
}
HARNESS_FORMULA("01.gemm.ai", intensity(square_gemm(p)))
HARNESS_FORMULA("01.gemm.ai/half", intensity(square_gemm(p, kFp16)))
HARNESS_FORMULA("01.gemm.ai/reads_c", intensity(square_gemm(p, kFp32, true)))
HARNESS_FORMULA("01.gemm.ai/macs", half_the_intensity(square_gemm(p)))

constexpr double kSide = 4096;
HARNESS_ANSWER("01.contradiction.gemm", [](const Parameters&) {
  // The value that would be right for two bytes per element is the wrong one: these have four.
  const double wide = gemm(kSide, kSide, kSide, kFp32).intensity();
  const double narrow = gemm(kSide, kSide, kSide, kFp16).intensity();
  const bool other_has_narrow_elements =
      std::abs(6 * wide / kSide - 1) < 1e-9 && std::abs(3 * narrow / kSide - 1) < 1e-9;
  return Answer::choice(other_has_narrow_elements ? "sixth-element" : "third-fma");
})
HARNESS_ANSWER("01.gemm.ai_loads", [](const Parameters& p) {
  const Operation product = naive_gemm(kSide, kSide, kSide, float_of(p["bits"]));
  return intensity(product.flops, product.inner.front().bytes);
})

/// Bytes loaded into the tiles, excluding the store of C.
double tile_bytes(const Operation& product) {
  return product.inner.front().bytes - product.bytes_written;
}
HARNESS_ANSWER("01.gemm.ai_tile/naive", [](const Parameters&) {
  const Operation product = naive_gemm(kSide, kSide, kSide, kFp32);
  return intensity(product.flops, product.inner.front().bytes - product.bytes_written);
})
HARNESS_ANSWER("01.gemm.ai_tile", [](const Parameters& p) {
  const Operation product = tiled_gemm(kSide, kSide, kSide, p["tile"], kFp32);
  return intensity(product.flops, tile_bytes(product));
})
HARNESS_ANSWER("01.gemm.ai_tile/one", [](const Parameters& p) {
  const Operation product = tiled_gemm(kSide, kSide, kSide, p["tile"], kFp32);
  return intensity(product.flops, tile_bytes(product) / 2);
})
HARNESS_ANSWER("01.gemm.ai_tile/macs", [](const Parameters& p) {
  const Operation product = tiled_gemm(kSide, kSide, kSide, p["tile"], kFp32);
  return intensity(product.flops / 2, tile_bytes(product));
})

Operation product_without_l2(const Parameters& p) {
  return tiled_gemm(kSide, kSide, kSide, p["tile"], kFp32, false);
}
HARNESS_FORMULA("01.gemm.ai_dram", intensity(product_without_l2(p)))
HARNESS_FORMULA("01.gemm.ai_dram/ideal", intensity(gemm(kSide, kSide, kSide, kFp32)))
HARNESS_FORMULA("01.gemm.ai_dram/no_store",
                intensity(product_without_l2(p).flops, product_without_l2(p).bytes_read))
HARNESS_ANSWER("01.gemm.ai_dram/one_operand", [](const Parameters& p) {
  const Operation product = product_without_l2(p);
  return intensity(product.flops, product.bytes_read / 2 + product.bytes_written);
})

HARNESS_ANSWER("01.tiling.changes", [](const Parameters&) {
  const Operation naive = naive_gemm(kSide, kSide, kSide, kFp32);
  const Operation tiled = tiled_gemm(kSide, kSide, kSide, 16, kFp32);
  return Answer::choice(naive.intensity() != tiled.intensity() ? "arithmetic" : "operational");
})

// Layers.
Operation layer(double batch, Precision precision = kFp16) {
  return gemm(batch, kFeatures, kFeatures, precision);
}
HARNESS_FORMULA("01.linear.ai", intensity(layer(p["batch"])))
HARNESS_FORMULA("01.linear.ai/weights_only",
                intensity(layer(p["batch"]).flops,
                          bytes_per_element(kFp16) * kFeatures * kFeatures))
HARNESS_FORMULA("01.linear.ai/fp32", intensity(layer(p["batch"], kFp32)))
HARNESS_FORMULA("01.linear.ai/one_side",
                intensity(layer(p["batch"]).flops, layer(p["batch"]).bytes_read))

Convolution convolution_of(const Parameters& p) {
  return {p["batch"], 64, 64, 56, 56, 3, 3};
}
HARNESS_FORMULA("01.conv.ai", intensity(convolution(convolution_of(p), kFp16)))
HARNESS_FORMULA("01.conv.ai/fp32", intensity(convolution(convolution_of(p), kFp32)))
HARNESS_ANSWER("01.conv.ai/no_filter", [](const Parameters& p) {
  const Operation layer = convolution(convolution_of(p), kFp16);
  return intensity(layer.flops, 2 * layer.bytes_written);  // the input is as large as the output
})
HARNESS_ANSWER("01.conv.ai/one_channel", [](const Parameters& p) {
  const Operation layer = convolution(convolution_of(p), kFp16);
  return intensity(layer.flops / 64, layer.bytes());
})

// Times and bounds.
Operation addition(const Parameters& p, Precision precision = Precision::kFp64) {
  return vector_add(std::exp2(p["exponent"]), precision);
}
Answer microseconds(double seconds) {
  return Answer::number(seconds * kMicroseconds, "us");
}
HARNESS_FORMULA("01.add.time", microseconds(time_seconds(kRtx3090Fp64, addition(p))))
HARNESS_FORMULA("01.add.time/compute",
                microseconds(addition(p).flops / kRtx3090Fp64.flops_per_second))
HARNESS_FORMULA("01.add.time/sum",
                microseconds(addition(p).flops / kRtx3090Fp64.flops_per_second +
                             addition(p).bytes() / kRtx3090Fp64.bytes_per_second))
HARNESS_FORMULA("01.add.time/fp32", microseconds(time_seconds(kRtx3090Fp64, addition(p, kFp32))))
HARNESS_FORMULA("01.add.time/one_array",
                microseconds(addition(p).bytes_written / kRtx3090Fp64.bytes_per_second))
HARNESS_FORMULA("01.add.time/no_write",
                microseconds(addition(p).bytes_read / kRtx3090Fp64.bytes_per_second))

Operation product_of_token(double outputs, const Parameters& p, Precision precision = kFp16) {
  return gemv(outputs * p["width"], p["width"], precision);
}
HARNESS_FORMULA("01.qkv.time", microseconds(time_seconds(kA100Fp16, product_of_token(3, p))))
HARNESS_FORMULA("01.qkv.time/compute",
                microseconds(product_of_token(3, p).flops / kA100Fp16.flops_per_second))
HARNESS_FORMULA("01.qkv.time/sum",
                microseconds(product_of_token(3, p).flops / kA100Fp16.flops_per_second +
                             product_of_token(3, p).bytes() / kA100Fp16.bytes_per_second))
HARNESS_FORMULA("01.qkv.time/one_output",
                microseconds(time_seconds(kA100Fp16, product_of_token(1, p))))
HARNESS_FORMULA("01.qkv.time/fp32",
                microseconds(time_seconds(kA100Fp16, product_of_token(3, p, kFp32))))

HARNESS_FORMULA("01.stencil.bound", bound(roof_of(load_machine(p.machine_file()), kFp32),
                                          stencil(kMany, 5, kFp32).intensity()))
HARNESS_FORMULA("01.gemm.bound", bound(kRtx3090, square_gemm(p).intensity()))
HARNESS_FORMULA("01.linear.bound", bound(kA100Fp16, layer(p["batch"]).intensity()))
HARNESS_FORMULA("01.fma.bound",
                bound(kT4, elementwise("fma", kMany, 2 * p["fmas"], 1, kFp32).intensity()))

// What a warp asks for.
constexpr int kLanes = 32;

/// Pieces of `piece_bytes` that 32 lanes touch when lane l reads float number first + stride l.
double pieces(double stride, double first, double piece_bytes) {
  std::set<double> touched;
  for (int lane = 0; lane < kLanes; ++lane) {
    touched.insert(std::floor(4 * (first + stride * lane) / piece_bytes));
  }
  return static_cast<double>(touched.size());
}
HARNESS_FORMULA("01.sectors.stride", Answer::number(pieces(p["stride"], 0, 32), ""))
HARNESS_FORMULA("01.sectors.stride/lines", Answer::number(pieces(p["stride"], 0, 128), ""))
HARNESS_FORMULA("01.sectors.stride/short",
                Answer::number(std::floor((kLanes - 1) * p["stride"] * 4.0 / 32), ""))
HARNESS_FORMULA("01.sectors.offset",
                Answer::number(p["requests"] * kLanes * 4.0 / 32 + p["requests"], ""))
HARNESS_FORMULA("01.sectors.offset/one", Answer::number(kLanes * 4.0 / 32 + 1, ""))
HARNESS_FORMULA("01.sectors.offset/aligned", Answer::number(p["requests"] * kLanes * 4.0 / 32, ""))
HARNESS_FORMULA("01.sectors.offset/once", Answer::number(p["requests"] * kLanes * 4.0 / 32 + 1, ""))
HARNESS_FORMULA("01.sectors.offset/twice",
                Answer::number(2 * kLanes * p["requests"] * 4.0 / 32, ""))
HARNESS_FORMULA("01.sectors.rows", Answer::number(p["width"] * kLanes, ""))
HARNESS_FORMULA("01.sectors.rows/once", Answer::number(p["width"] * kLanes * 4.0 / 32, ""))

constexpr double kLanesOfWavefront = 64;  // Instinct
HARNESS_FORMULA("01.warp.sums", Answer::number(p["threads"] / kLanesOfWavefront, ""))
HARNESS_FORMULA("01.warp.sums/threads", Answer::number(p["threads"], ""))

}  // namespace
