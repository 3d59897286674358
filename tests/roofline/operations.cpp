// SPDX-License-Identifier: MIT
// The operation library compared with the course's numbers.
#include "roofline/blas.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/operation.hpp"
#include "roofline/transformer.hpp"
#include "support/catch.hpp"

using namespace roofline;

namespace {

constexpr double kLarge = 1e6;
constexpr Precision kFp32 = Precision::kFp32;
constexpr Precision kFp16 = Precision::kFp16;

Approx near(double value, double tolerance = 1e-4) {
  return Approx(value).epsilon(tolerance);
}

}  // namespace

TEST_CASE("BLAS 1 intensities") {
  CHECK(vector_add(kLarge, kFp32).intensity() == near(1.0 / 12));
  CHECK(copy(kLarge, kFp32).intensity() == 0);
  CHECK(scal(kLarge, kFp32).intensity() == near(0.125));
  CHECK(axpy(kLarge, kFp32).intensity() == near(2.0 / 12));
  CHECK(dot(kLarge, kFp32).intensity() == near(0.25));
  CHECK(nrm2(kLarge, kFp32).intensity() == near(0.5));
  CHECK(asum(kLarge, kFp32).intensity() == near(0.25));
  CHECK(sum(kLarge, kFp32).intensity() == near(0.25));
}

TEST_CASE("BLAS 2 intensities") {
  CHECK(gemv(kLarge, kLarge, kFp32).intensity() == near(0.5));
  CHECK(gemv(kLarge, kLarge, kFp16).intensity() == near(1));
  CHECK(symv(kLarge, kFp32).intensity() == near(1));
  CHECK(trmv(kLarge, kFp32).intensity() == near(0.5));
  CHECK(ger(kLarge, kLarge, kFp32).intensity() == near(0.25));
  const Operation exact = gemv(4096, 4096, kFp32);
  CHECK(exact.bytes() == 67141632);
  CHECK(exact.intensity() == near(0.49976, 1e-5));
  CHECK(gemv(100, 200, kFp32, true).bytes() == 4 * (100 * 200 + 200 + 2 * 100));
}

TEST_CASE("BLAS 3 intensities") {
  CHECK(gemm(128, 128, 128, kFp32).intensity() == near(21.333));
  CHECK(gemm(1024, 1024, 1024, kFp32).intensity() == near(170.667));
  CHECK(gemm(4096, 4096, 4096, kFp32).intensity() == near(682.667));
  CHECK(gemm(4096, 4096, 4096, kFp16).intensity() == near(4096 / 3.0));
  CHECK(gemm(kLarge, kLarge, kLarge, kFp32, true).intensity() == near(kLarge / 8));
  CHECK(symm(kLarge, kLarge, kFp32).intensity() == near(kLarge / 5));
  CHECK(syrk(kLarge, kLarge, kFp32).intensity() == near(kLarge / 6));
  CHECK(trmm(kLarge, kLarge, kFp32).intensity() == near(kLarge / 10));
}

TEST_CASE("reuse in a matrix product") {
  const Operation naive = naive_gemm(4096, 4096, 4096, kFp32);
  CHECK(naive.flops / naive.inner.at(0).bytes == near(0.25));
  const Operation tiled = tiled_gemm(4096, 4096, 4096, 128, kFp32);
  CHECK(tiled.flops / (tiled.inner.at(0).bytes - tiled.bytes_written) == near(128 / 4.0));
  CHECK(tiled.intensity() == near(682.667));
  CHECK(tiled_gemm(4096, 4096, 4096, 128, kFp32, false).intensity() == near(31.5, 1e-3));
  CHECK_THROWS_AS(tiled_gemm(100, 128, 128, 16, kFp32), std::invalid_argument);
}

TEST_CASE("stencils") {
  CHECK(stencil(kLarge, 5, kFp32).intensity() == near(0.5));
  CHECK(stencil(kLarge, 5, kFp32, StencilReuse::kNone).intensity() == near(1.0 / 6));
  CHECK(stencil(kLarge, 7, kFp32).intensity() == near(0.75));
  CHECK(stencil(kLarge, 7, kFp32, StencilReuse::kNone).intensity() == near(0.1875));
  CHECK(stencil(kLarge, 7, kFp32, StencilReuse::kPerfect, true).intensity() == near(13 / 8.0));
  CHECK(stencil(kLarge, 9, kFp32, StencilReuse::kPerfect, true).intensity() == near(17 / 8.0));
}

TEST_CASE("softmax, norms and activations") {
  CHECK(softmax(100, 1000, kFp32).intensity() == near(5 / 8.0));
  CHECK(layer_norm(100, 1000, kFp32).intensity() == near(1));
  CHECK(layer_norm(100, 1000, kFp16).intensity() == near(2));
  CHECK(rms_norm(100, 1000, kFp16).intensity() == near(1.25));
  CHECK(relu(kLarge, kFp16).intensity() == near(0.25));
  CHECK(gelu(kLarge, kFp16).intensity() == near(3));
  CHECK(silu(kLarge, kFp16).intensity() == near(1));
  CHECK(residual_add(kLarge, kFp16).intensity() == near(1 / 6.0));
  CHECK(dropout(kLarge, kFp16).intensity() == near(0.5));
}

TEST_CASE("convolutions in FP16") {
  const Operation small = convolution({1, 64, 64, 56, 56, 3, 3}, kFp16);
  CHECK(small.flops == 231211008);
  CHECK(small.bytes() == 876544);
  CHECK(small.intensity() == near(263.8, 2e-4));
  CHECK(convolution({32, 64, 64, 56, 56, 3, 3}, kFp16).intensity() == near(287.2, 2e-4));
  CHECK(convolution({1, 512, 512, 7, 7, 3, 3}, kFp16).intensity() == near(48.0, 1e-3));
  CHECK(convolution({32, 512, 512, 7, 7, 3, 3}, kFp16).intensity() == near(933.0, 2e-4));
}

TEST_CASE("linear layers over the batch, 4096 x 4096 in FP16") {
  const struct {
    double batch, intensity;
  } rows[] = {{1, 1.0},     {4, 3.99},    {16, 15.88},  {32, 31.5},   {64, 62.1},
              {128, 120.5}, {256, 227.6}, {512, 409.6}, {1024, 682.7}};
  for (const auto& row : rows) {
    CHECK(linear(row.batch, 4096, 4096).intensity() == near(row.intensity, 1e-3));
  }
  CHECK(linear(4, 4096, 4096).bytes() == 33619968);
}

TEST_CASE("quantised weights with their scales") {
  const WeightFormat int4{Precision::kInt4, 128, kFp16, 0};
  CHECK(bits_per_weight(int4) == 4.125);
  CHECK(bits_per_weight({Precision::kInt4, 32, kFp16, 0}) == 4.5);
  CHECK(16 / bits_per_weight(int4) == near(3.879));
  CHECK(bits_per_weight({Precision::kInt4, 128, kFp16, 4}) == 4.15625);
  const Operation gemv4 = linear(1, 4096, 4096, int4);
  CHECK(gemv4.bytes_read == 4096 * 4096 * 4.125 / 8 + 4096 * 2);
  CHECK(gemv4.flops == 2.0 * 4096 * 4096);
}

TEST_CASE("batch-1 layers by precision") {
  const struct {
    Precision precision;
    double intensity;
  } rows[] = {{Precision::kFp32, 0.5},
              {Precision::kTf32, 0.5},
              {kFp16, 1},
              {Precision::kInt8, 2},
              {Precision::kInt4, 4}};
  for (const auto& row : rows) {
    CHECK(gemv(4096, 4096, row.precision).intensity() == near(row.intensity, 1e-3));
  }
}

TEST_CASE("attention over a whole sequence") {
  const Attention shape{8, 12, 12, 2048, 128, false};
  const Operation two = unfused_attention(shape, kFp16, 2);
  CHECK(two.flops == 208171696128);
  CHECK(two.bytes() == 1811939328);
  CHECK(two.intensity() == near(114.9, 2e-4));
  CHECK(fused_attention(shape, kFp16).bytes() == 201326592);
  CHECK(fused_attention(shape, kFp16).intensity() == near(1034.0));
  CHECK(fused_attention({8, 12, 12, 8192, 128, false}, kFp16).intensity() == near(4136.0));
  CHECK(unfused_attention({1, 1, 1, 1e7, 128, false}, kFp16, 4).intensity() == near(64.6, 1e-3));
  CHECK(unfused_attention({1, 1, 1, 1e7, 128, false}, kFp16, 2).intensity() == near(129.25, 1e-3));
  const Operation causal = fused_attention({8, 12, 12, 2048, 128, true}, kFp16);
  CHECK(causal.flops / two.flops == near(2049.0 / 4096));
  CHECK_THROWS_AS(unfused_attention(shape, kFp16, 3), std::invalid_argument);
}

TEST_CASE("prefill and decode on the roofline") {
  const Operation qkv = gemm(8 * 2048, 3 * 4096, 4096, kFp16);
  CHECK(qkv.flops == 1649267441664);
  CHECK(qkv.bytes() == 637534208);
  CHECK(qkv.intensity() == near(2587, 1e-4));
  CHECK(gemv(4096, 4096, kFp16).flops == 33554432);
  CHECK(gemv(4096, 4096, kFp16).intensity() == near(0.99951, 1e-5));
  const Operation gqa = decode_attention(1, 32, 8, 128, 8192, kFp16);
  CHECK(gqa.flops == 134217728);
  CHECK(gqa.bytes() == 33554432);
  CHECK(gqa.intensity() == near(4));
  CHECK(time_seconds(Roof{989.4e12, 4800e9}, gqa) * 1e6 == near(6.99, 1e-3));
  CHECK(decode_attention(3, 32, 32, 128, 100, kFp16).intensity() == near(1));
  CHECK(decode_attention(3, 32, 1, 128, 100, kFp16).intensity() == near(32));
  CHECK(mla_decode_attention(1, 128, 512, 64, 8192, kFp16).intensity() == near(241.8, 2e-4));
  CHECK(mla_decode_attention(1, 16, 512, 64, 8192, kFp16).intensity() == near(30.2, 1e-3));
}

TEST_CASE("the transformer block table") {
  const std::vector<Operation> block = transformer_block(32, 1024, 768, kFp16);
  const Operation all = total("block", block);
  CHECK(all.flops / 1e9 == near(568.9, 2e-4));
  CHECK(all.bytes() / 1e9 == near(1.826, 3e-4));
  CHECK(all.intensity() == near(311.5, 2e-4));
  CHECK(block.at(0).intensity() == near(566.0, 1e-3));
  CHECK(block.at(1).intensity() == near(512.0, 1e-3));
  CHECK(block.at(2).intensity() == near(379.6, 1e-3));
  CHECK(block.at(4).intensity() == near(993.0, 1e-3));
  CHECK(block.at(6).intensity() == near(1.875, 1e-3));
}

TEST_CASE("the transformer block as it runs") {
  const std::vector<Operation> block =
      transformer_block(32, 1024, 768, kFp16, BlockTraffic::kAsRun);
  // Tokens x hidden at 2 bytes is 50.3 MB: the intermediate is read back, which is 4 of these; the
  // additions read and write 2 x 3 of them instead of 8 for the table's single one over 4 x hidden.
  const double unit = 32.0 * 1024 * 768 * 2;
  const Operation printed = total("block", transformer_block(32, 1024, 768, kFp16));
  const Operation all = total("block", block);
  CHECK(all.bytes() == near(printed.bytes() + (4 + 6 - 8) * unit));
  CHECK(all.bytes() / 1e6 == near(1927, 3e-4));
  CHECK(all.intensity() == near(295, 1e-3));
  CHECK(block.at(4).intensity() == near(603.1, 1e-3));
}

TEST_CASE("fusion saves the intermediate") {
  const double n = 1000;
  const Operation add = residual_add(n, kFp16);
  const Operation norm = rms_norm(1, n, kFp16);
  const Operation both = fused("add and norm", add, norm, 2 * n, true);
  CHECK(both.bytes() == 4 * 2 * n);
  CHECK(both.flops == 6 * n);
  CHECK(both.intensity() > total("apart", {add, norm}).intensity());
  CHECK(fused("relu of add", add, relu(n, kFp16), 2 * n).bytes() == 3 * 2 * n);
  CHECK_THROWS_AS(fused("x", add, norm, 1e9), std::invalid_argument);
}

TEST_CASE("a step is the sum of maxima") {
  const Roof roof{100, 10};
  const std::vector<Operation> step = {{"m", 10, 100, 0, {}}, {"c", 1000, 1, 0, {}}};
  CHECK(time_of_sequence(roof, step) == near(10 + 10));
  CHECK(time_seconds(roof, total("step", step)) < time_of_sequence(roof, step));
}

TEST_CASE("operations refuse what has no size") {
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    CHECK_THROWS_AS(axpy(bad, kFp32), std::invalid_argument);
    CHECK_THROWS_AS(gemm(bad, 1, 1, kFp32), std::invalid_argument);
    CHECK_THROWS_AS(softmax(1, bad, kFp32), std::invalid_argument);
    CHECK_THROWS_AS(linear(bad, 1, 1), std::invalid_argument);
    CHECK_THROWS_AS(fused_attention({1, 1, 1, bad, 1, false}, kFp16), std::invalid_argument);
    CHECK_THROWS_AS(decode_attention(1, 1, 1, 1, bad, kFp16), std::invalid_argument);
    CHECK_THROWS_AS(convolution({bad, 1, 1, 1, 1, 1, 1}, kFp16), std::invalid_argument);
  }
}
