// SPDX-License-Identifier: MIT
// Computes what each claim of data/errata should say, and the answers to the exercises about them.
#include "answers_claims.hpp"

#include <cmath>
#include <stdexcept>

#include "base/prefixes.hpp"
#include "harness/answer.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/peaks.hpp"
#include "roofline/transformer.hpp"

namespace {

using namespace roofline;

constexpr Precision kFp32 = Precision::kFp32;
constexpr Precision kFp16 = Precision::kFp16;
using namespace base::prefixes;
// So large that what does not grow with the size no longer shows.
constexpr double kMany = 1e9;
constexpr double kLarge = 1e6;

constexpr Roof kT4{8.1e12, 320e9};
constexpr Roof kA100{312e12, 2039e9};  // FP16 on the tensor cores

/// The intensity of a square layer as its batch grows.
struct Layer {
  DenseLayer shape;
  double at(double batch) const { return layer_intensity(shape, batch); }
};

Layer layer(double in, double out, double element_bytes) {
  return {{in, out, element_bytes, element_bytes}};
}

double square_gemm(double n) {
  return gemm(n, n, n, kFp32).intensity();
}

/// FLOPs per byte between L1 and L2 when every step of 128 x 128 tiles moves A, B and C.
double three_tiles_a_step() {
  constexpr double kSide = 4096;
  constexpr double kTile = 128;
  const double steps = std::pow(kSide / kTile, 3);
  return arithmetic_intensity(gemm(kSide, kSide, kSide, kFp32).flops,
                              steps * 3 * kTile * kTile * bytes_per_element(kFp32));
}

double square_convolution(double batch, double channels, double side) {
  return convolution({batch, channels, channels, side, side, 3, 3}, kFp16).intensity();
}

/// Attention with head size 128; 0 passes over the scores is fused attention.
double attention(double sequence, int score_passes) {
  const Attention shape{.sequence = sequence, .head_dim = 128};
  if (score_passes == 0) return fused_attention(shape, kFp16).intensity();
  return unfused_attention(shape, kFp16, score_passes).intensity();
}

std::vector<Operation> block() {
  return transformer_block(32, 1024, 768, kFp16);
}

Operation block_part(const std::string& name) {
  for (const Operation& operation : block()) {
    if (operation.name == name) return operation;
  }
  throw std::out_of_range("a transformer block has no part called " + name);
}

Operation whole_block() {
  return total("block", block());
}

/// TFLOP/s of the matrix units of an H100 SXM, from the multiply-adds of each per clock.
double h100_matrix(double fma_per_clock) {
  return matrix_peak(132, 4, fma_per_clock, 1.83e9) / kTera;
}

/// GFLOP/s that an operation can reach on a T4.
double on_t4(const Operation& operation) {
  return attainable(kT4, operation.intensity()) / kGiga;
}

double linear_megabytes(double batch) {
  return linear(batch, 4096, 4096).bytes() / kMega;
}

double smallest_batch(double in, double out) {
  return critical_batch({in, out, 2, 2}, 152).value();
}

/// How close a batch-1 layer with weights of `weight_bytes` gets to the ridge of an A100's tensor
/// cores, whose peak doubles with every halving of the arithmetic's precision.
double fraction_of_ridge(Precision arithmetic, double weight_bytes) {
  const double activation_bytes = bytes_per_element(arithmetic);
  const double peak = kA100.flops_per_second * 2 / activation_bytes;
  return layer_intensity({4096, 4096, weight_bytes, activation_bytes}, 1) /
         ridge({peak, kA100.bytes_per_second});
}

/// Whether a kernel at half of its roof, under the slanted line, is above the flat one.
bool below_one_line_only() {
  return attainable(kT4, 1) / 2 > kT4.flops_per_second;
}

bool ridges_lie_between(double low, double high) {
  // RTX 3090, A100, V100, T4 in FP32.
  for (const Roof& roof :
       {Roof{35.6e12, 936e9}, Roof{19.5e12, 2039e9}, Roof{15.7e12, 900e9}, kT4}) {
    if (ridge(roof) < low || ridge(roof) > high) return false;
  }
  return true;
}

// clang-format off
const std::vector<Claim> kClaims = {
    // intensities
    {101, "dot", 0.375, "FLOP/B", [] { return dot(kMany, kFp32).intensity(); }, nullptr},
    {102, "stencil7-cached", 3.0, "FLOP/B", [] { return stencil(kMany, 7, kFp32).intensity(); }, nullptr},
    {103, "stencil7-uncached", 0.75, "FLOP/B", [] { return stencil(kMany, 7, kFp32, StencilReuse::kNone).intensity(); }, nullptr},
    {104, "conv3x3", 0.45, "FLOP/B", [] { return stencil(kMany, 9, kFp32, StencilReuse::kPerfect, true).intensity(); }, nullptr},
    {105, "gemv-fp32", 0.5, "FLOP/B", [] { return gemv(4096, 4096, kFp32).intensity(); }, nullptr},
    {106, "sum", 0.25, "FLOP/B", [] { return sum(kMany, kFp32).intensity(); }, nullptr},
    {107, "layernorm-fp16", 1.0, "FLOP/B", [] { return layer_norm(1, kMany, kFp16).intensity(); }, nullptr},
    {108, "rmsnorm-fp16", 0.625, "FLOP/B", [] { return rms_norm(1, kMany, kFp16).intensity(); }, nullptr},
    {109, "batchnorm-fp16", 1.0, "FLOP/B", [] { return elementwise("batch norm", kMany, 8, 1, kFp16).intensity(); }, nullptr},
    {110, "ger", 0.5, "FLOP/B", [] { return ger(kLarge, kLarge, kFp32).intensity(); }, nullptr},
    {111, "fma-loop", 256.0, "FLOP/B", [] { return elementwise("fma", kMany, 2 * 1024, 1, kFp32).intensity(); }, nullptr},
    {112, "stencil5-cached", 0.5, "FLOP/B", [] { return stencil(kMany, 5, kFp32).intensity(); }, nullptr},
    {113, "layer-fp32", 1.0, "FLOP/B", [] { return layer(4096, 4096, 4).at(1); }, nullptr},
    {114, "layer-fp16", 2.0, "FLOP/B", [] { return layer(4096, 4096, 2).at(1); }, nullptr},
    {115, "layer-int8", 4.0, "FLOP/B", [] { return layer(4096, 4096, 1).at(1); }, nullptr},
    {116, "layer-int4", 8.0, "FLOP/B", [] { return layer(4096, 4096, 0.5).at(1); }, nullptr},
    {117, "gqa-decode", 4.0, "FLOP/B", [] { return decode_attention(1, 32, 8, 128, 8192, kFp16).intensity(); }, nullptr},
    {118, "symv", 1.0, "FLOP/B", [] { return symv(kLarge, kFp32).intensity(); }, nullptr},
    {119, "work-of-1.3-mb", 174.0, "FLOP/B", [] { return arithmetic_intensity(231e6, 1.3e6); }, nullptr},
    {120, "work-of-25-mb", 2.36, "FLOP/B", [] { return arithmetic_intensity(57.8e6, 25e6); }, nullptr},
    {121, "layer-tf32", 1.0, "FLOP/B", [] { return layer(4096, 4096, bytes_per_element(Precision::kTf32)).at(1); }, nullptr},
    // products
    {201, "gemm-128", 42.67, "FLOP/B", [] { return square_gemm(128); }, nullptr},
    {202, "gemm-4096", 1365.33, "FLOP/B", [] { return square_gemm(4096); }, nullptr},
    {203, "gemm-read-c", 1365.33, "FLOP/B", [] { return gemm(4096, 4096, 4096, kFp32, true).intensity(); }, nullptr},
    {204, "symm", 1365.33, "FLOP/B", [] { return symm(4096, 4096, kFp32).intensity(); }, nullptr},
    {205, "syrk", 2048.0, "FLOP/B", [] { return syrk(4096, 4096, kFp32).intensity(); }, nullptr},
    {206, "trmm", 1365.33, "FLOP/B", [] { return trmm(4096, 4096, kFp32).intensity(); }, nullptr},
    {207, "tile-level", 1365.33, "FLOP/B", [] { return three_tiles_a_step(); }, nullptr},
    {208, "gemm-1024", 170.67, "FLOP/B", [] { return square_gemm(1024); }, nullptr},
    {209, "linear-32", 30.1, "FLOP/B", [] { return layer(4096, 4096, 2).at(32); }, nullptr},
    {210, "linear-256", 170.7, "FLOP/B", [] { return layer(4096, 4096, 2).at(256); }, nullptr},
    {211, "linear-1024", 341.3, "FLOP/B", [] { return layer(4096, 4096, 2).at(1024); }, nullptr},
    {212, "linear-64", 63.4, "FLOP/B", [] { return layer(4096, 4096, 2).at(64); }, nullptr},
    {213, "linear-128", 126.0, "FLOP/B", [] { return layer(4096, 4096, 2).at(128); }, nullptr},
    {214, "linear-512", 487.3, "FLOP/B", [] { return layer(4096, 4096, 2).at(512); }, nullptr},
    {215, "linear-16", 15.9, "FLOP/B", [] { return layer(4096, 4096, 2).at(16); }, nullptr},
    {216, "qkv-prefill", 2587.0, "FLOP/B", [] { return gemm(8 * 2048, 3 * 4096, 4096, kFp16).intensity(); }, nullptr},
    {217, "conv-1-56", 28.5, "FLOP/B", [] { return square_convolution(1, 64, 56); }, nullptr},
    {218, "conv-32-56", 47.2, "FLOP/B", [] { return square_convolution(32, 64, 56); }, nullptr},
    {219, "conv-1-7", 17.1, "FLOP/B", [] { return square_convolution(1, 512, 7); }, nullptr},
    {220, "conv-32-7", 153.6, "FLOP/B", [] { return square_convolution(32, 512, 7); }, nullptr},
    {221, "linear-1024-weights", 932.9, "FLOP/B", [] { return layer(4096, 4096, 2).at(1024); }, nullptr},
    // attention
    {301, "unfused-2048", 4.2, "FLOP/B", [] { return attention(2048, 2); }, nullptr},
    {302, "fused-2048", 68.3, "FLOP/B", [] { return attention(2048, 0); }, nullptr},
    {303, "unfused-8192", 1.1, "FLOP/B", [] { return attention(8192, 2); }, nullptr},
    {304, "fused-8192", 68.3, "FLOP/B", [] { return attention(8192, 0); }, nullptr},
    {305, "block-qkv", 2008.5, "FLOP/B", [] { return block_part("qkv").intensity(); }, nullptr},
    {306, "block-attention", 1024.0, "FLOP/B", [] { return block_part("attention").intensity(); }, nullptr},
    {307, "block-projection", 668.3, "FLOP/B", [] { return block_part("output projection").intensity(); }, nullptr},
    {308, "block-ffn", 1468.1, "FLOP/B", [] { return block_part("ffn").intensity(); }, nullptr},
    {309, "block-activations", 3.8, "FLOP/B", [] { return block_part("gelu, dropout, add").intensity(); }, nullptr},
    {310, "block-total", 552.3, "FLOP/B", [] { return whole_block().intensity(); }, nullptr},
    {311, "mla-decode", 241.8, "FLOP/B", [] { return mla_decode_attention(1, 128, 512, 64, 4096, kFp16).intensity(); }, nullptr},
    {312, "unfused-limit", 64.6, "FLOP/B", [] { return attention(1e9, 4); }, nullptr},
    // peaks
    {401, "h100-tf32", 989.0, "TFLOP/s", [] { return h100_matrix(256); }, nullptr},
    {402, "h100-fp16", 1979.0, "TFLOP/s", [] { return h100_matrix(512); }, nullptr},
    {403, "a100-fp16-vector", 39.0, "TFLOP/s", [] { return vector_peak(108, 256, 1.41e9) / kTera; }, nullptr},
    {404, "a100-fp32", 19.5, "TFLOP/s", [] { return vector_peak(108, 64, 1.41e9) / kTera; }, nullptr},
    {405, "a100-fp16-tensor", 312.0, "TFLOP/s", [] { return matrix_peak(108, 4, 256, 1.41e9) / kTera; }, nullptr},
    {406, "h100-fp8", 1979.0, "TFLOP/s", [] { return h100_matrix(1024); }, nullptr},
    {407, "h100-fp32", 66.9, "TFLOP/s", [] { return vector_peak(132, 128, 1.83e9) / kTera; }, nullptr},
    {408, "t4-fp64", 8.1, "TFLOP/s", [] { return 8.1 / 32; }, nullptr},
    {409, "h100-fp64-matrix", 61.8, "TFLOP/s", [] { return matrix_peak(132, 4, 32, 1.98e9) / kTera; }, nullptr},
    // roofs
    {501, "t4-add", 50.0, "GFLOP/s", [] { return on_t4(vector_add(kMany, kFp32)); }, nullptr},
    {502, "t4-saxpy", 100.0, "GFLOP/s", [] { return on_t4(axpy(kMany, kFp32)); }, nullptr},
    {503, "t4-dot", 200.0, "GFLOP/s", [] { return on_t4(dot(kMany, kFp32)); }, nullptr},
    {504, "t4-stencil7", 400.0, "GFLOP/s", [] { return on_t4(stencil(kMany, 7, kFp32)); }, nullptr},
    {505, "a100-saxpy", 339.8, "GFLOP/s", [] { return attainable({19.5e12, 2039e9}, axpy(kMany, kFp32).intensity()) / kGiga; }, nullptr},
    {506, "ridge-example", 2500.0, "GFLOP/s", [] { return attainable({15e12, 500e9}, 5) / kGiga; }, nullptr},
    {507, "t4-sum", 160.0, "GFLOP/s", [] { return on_t4(sum(kMany, kFp32)); }, nullptr},
    // traffic
    {601, "arrays", 268.4, "MB", [] { return 2 * 4.0 * (1 << 26) / kMega; }, nullptr},
    {602, "linear-bytes-64", 33.88, "MB", [] { return linear_megabytes(64); }, nullptr},
    {603, "linear-bytes-256", 34.47, "MB", [] { return linear_megabytes(256); }, nullptr},
    {604, "linear-bytes-1024", 36.83, "MB", [] { return linear_megabytes(1024); }, nullptr},
    {605, "block-qkv-bytes", 58.0, "MB", [] { return block_part("qkv").bytes() / kMega; }, nullptr},
    {606, "block-attention-bytes", 101.0, "MB", [] { return block_part("attention").bytes() / kMega; }, nullptr},
    {607, "block-ffn-bytes", 211.0, "MB", [] { return block_part("ffn").bytes() / kMega; }, nullptr},
    {608, "block-activation-bytes", 402.0, "MB", [] { return block_part("gelu, dropout, add").bytes() / kMega; }, nullptr},
    {609, "block-bytes", 1030.0, "MB", [] { return whole_block().bytes() / kMega; }, nullptr},
    {610, "gqa-bytes", 33.55, "MB", [] { return decode_attention(1, 32, 8, 128, 8192, kFp16).bytes() / kMega; }, nullptr},
    {611, "prefill-bytes", 637.5, "MB", [] { return gemm(8 * 2048, 3 * 4096, 4096, kFp16).bytes() / kMega; }, nullptr},
    {612, "tiled-without-l2", 201.3, "MB", [] { return tiled_gemm(4096, 4096, 4096, 128, kFp32, false).bytes() / kMega; }, nullptr},
    {613, "gemv-updates-y", 2.36, "MB", [] { return gemv(65536, 8, kFp32, true).bytes() / kMega; }, nullptr},
    // batches
    {701, "square-4096", 200.0, "", [] { return smallest_batch(4096, 4096); }, nullptr},
    {702, "square-768", 200.0, "", [] { return smallest_batch(768, 768); }, nullptr},
    {703, "wide-768", 160.0, "", [] { return smallest_batch(768, 3072); }, nullptr},
    {704, "wide-4096", 160.0, "", [] { return smallest_batch(4096, 16384); }, nullptr},
    {705, "flash-gain", 16.0, "", [] { return attention(2048, 0) / attention(2048, 2); }, nullptr},
    {706, "flash-gain-8192", 62.0, "", [] { return attention(8192, 0) / attention(8192, 2); }, nullptr},
    {707, "amplification", 1.0, "", [] { return three_tiles_a_step() / square_gemm(4096); }, nullptr},
    {708, "h100-over-a100", 6.3, "", [] { return h100_matrix(512) / (matrix_peak(108, 4, 256, 1.41e9) / kTera); }, nullptr},
    {709, "eager-triad", 1.0, "", [] { return 3.0 / 5; }, nullptr},
    {710, "int4-over-fp32", 2.0, "", [] { return layer(4096, 4096, 0.5).at(1) / layer(4096, 4096, 4).at(1); }, nullptr},
    {711, "int4-over-fp32-peak", 32.0, "", [] { return 1248 / 19.5; }, nullptr},
    // concepts
    {801, "below-a-line", {}, "", nullptr, [] { return below_one_line_only(); }},
    {802, "lower-precision", {}, "", nullptr, [] { return fraction_of_ridge(Precision::kInt8, 1) > 1.01 * fraction_of_ridge(Precision::kFp16, 2); }},
    {803, "above-algorithm", {}, "", nullptr, [] { return arithmetic_intensity(1, 0) <= vector_add(kMany, kFp32).intensity(); }},
    {804, "three-tiles-in-l1", {}, "", nullptr, [] { return 3.0 * 128 * 128 * 4 <= 164 * 1024.0; }},
    {805, "unfused-falls", {}, "", nullptr, [] { return attention(8192, 2) < attention(2048, 2); }},
    {806, "ai-25-on-3090", {}, "", nullptr, [] { return classify({35.6e12, 936e9}, 25) == Bound::kCompute; }},
    {807, "ai-25-on-t4", {}, "", nullptr, [] { return classify(kT4, 25) == Bound::kMemory; }},
    {808, "zero-bytes", {}, "", nullptr, [] { return arithmetic_intensity(1, 0) == 0; }},
    {809, "weight-only", {}, "", nullptr, [] { return fraction_of_ridge(Precision::kFp16, 0.5) > fraction_of_ridge(Precision::kFp16, 2); }},
    {810, "never-compute-bound", {}, "", nullptr, [] { return !critical_batch({256, 256, 2, 2}, 152).has_value(); }},
    {811, "always-memory-bound", {}, "", nullptr, [] { return !critical_batch({4096, 4096, 2, 2}, 312e12 / 2039e9).has_value(); }},
    {812, "fp16-doubles", {}, "", nullptr, [] { return vector_peak(108, 256, 1.41e9) <= 2.01 * vector_peak(108, 64, 1.41e9); }},
    {813, "ridges-ten-to-twenty", {}, "", nullptr, [] { return ridges_lie_between(10, 20); }},
    {814, "mla-compute-bound", {}, "", nullptr, [] { return mla_decode_attention(1, 128, 512, 64, 4096, kFp16).intensity() > 312e12 / 2039e9; }},
    {815, "fewer-bytes-compute-bound", {}, "", nullptr, [] { return 2 * time_seconds({312e12, 2039e9}, 3e15, 1e12) <= 1.01 * time_seconds({312e12, 2039e9}, 3e15, 2e12); }},
};
// clang-format on

harness::Answer right_value(const harness::Parameters& parameters) {
  const Claim& claim = claim_numbered(parameters["claim"]);
  return harness::Answer::number(claim.correct(), claim.unit);
}

harness::Answer claimed_value(const harness::Parameters& parameters) {
  const Claim& claim = claim_numbered(parameters["claim"]);
  return harness::Answer::number(claim.claimed.value(), claim.unit);
}

/// The traffic of a block as run, if the claim is about such a run; otherwise what the claim says.
harness::Answer traffic_as_run(const harness::Parameters& parameters) {
  if (claim_numbered(parameters["claim"]).number != 609) return claimed_value(parameters);
  const auto parts = transformer_block(32, 1024, 768, kFp16, BlockTraffic::kAsRun);
  return harness::Answer::number(total("block", parts).bytes() / kMega, "MB");
}

harness::Answer verdict(const harness::Parameters& parameters) {
  return harness::Answer::choice(claim_numbered(parameters["claim"]).holds() ? "holds" : "fails");
}

HARNESS_ANSWER("01.claims.intensities.holds", verdict)
HARNESS_ANSWER("01.claims.intensities.value", right_value)
HARNESS_ANSWER("01.claims.intensities.value/claimed", claimed_value)
HARNESS_ANSWER("01.claims.products.holds", verdict)
HARNESS_ANSWER("01.claims.products.value", right_value)
HARNESS_ANSWER("01.claims.products.value/claimed", claimed_value)
HARNESS_ANSWER("01.claims.attention.holds", verdict)
HARNESS_ANSWER("01.claims.attention.value", right_value)
HARNESS_ANSWER("01.claims.attention.value/claimed", claimed_value)
HARNESS_ANSWER("01.claims.peaks.holds", verdict)
HARNESS_ANSWER("01.claims.peaks.value", right_value)
HARNESS_ANSWER("01.claims.peaks.value/claimed", claimed_value)
HARNESS_ANSWER("01.claims.roofs.holds", verdict)
HARNESS_ANSWER("01.claims.roofs.value", right_value)
HARNESS_ANSWER("01.claims.roofs.value/claimed", claimed_value)
HARNESS_ANSWER("01.claims.traffic.holds", verdict)
HARNESS_ANSWER("01.claims.traffic.value", right_value)
HARNESS_ANSWER("01.claims.traffic.value/claimed", claimed_value)
HARNESS_ANSWER("01.claims.traffic.value/as_run", traffic_as_run)
HARNESS_ANSWER("01.claims.batches.holds", verdict)
HARNESS_ANSWER("01.claims.batches.value", right_value)
HARNESS_ANSWER("01.claims.batches.value/claimed", claimed_value)
HARNESS_ANSWER("01.claims.concepts.holds", verdict)
HARNESS_ANSWER("01.claims.concepts.second", verdict)

}  // namespace

bool Claim::holds() const {
  constexpr double kTolerance = 0.005;
  if (is_so != nullptr) return is_so();
  return std::abs(claimed.value() - correct()) <= kTolerance * std::abs(correct());
}

const std::vector<Claim>& all_claims() {
  return kClaims;
}

const Claim& claim_numbered(double number) {
  for (const Claim& claim : kClaims) {
    if (claim.number == number) return claim;
  }
  throw std::out_of_range("there is no claim number " + std::to_string(number));
}
