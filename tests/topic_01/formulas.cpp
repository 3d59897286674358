// SPDX-License-Identifier: MIT
// The reference formulas of topic 01 against the library, over many shapes.
#include "formulas.hpp"

#include <array>
#include <limits>
#include <vector>

#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/transformer.hpp"
#include "support/catch.hpp"

namespace {

using roofline::Operation;
using roofline::Precision;

struct Format {
  Precision precision;
  double bytes;
};
constexpr std::array<Format, 4> kFormats{
    {{Precision::kFp64, 8}, {Precision::kFp32, 4}, {Precision::kFp16, 2}, {Precision::kInt4, 0.5}}};
const std::vector<double> kSizes = {1, 2, 3, 7, 64, 100, 4096};

void check_same(const Work& work, const Operation& operation) {
  INFO(operation.name);
  CHECK(work.flops == Approx(operation.flops));
  CHECK(work.bytes == Approx(operation.bytes()));
}

}  // namespace

TEST_CASE("intensity and time") {
  CHECK(arithmetic_intensity({6, 3}) == roofline::arithmetic_intensity(6, 3));
  CHECK(arithmetic_intensity({6, 0}) == std::numeric_limits<double>::infinity());
  for (const double bytes : {1.0, 1e6, 1e12}) {
    CHECK(time_seconds({1e9, bytes}, {1e12, 1e9}) ==
          roofline::time_seconds({1e12, 1e9}, 1e9, bytes));
  }
}

TEST_CASE("stencils") {
  for (const Format& format : kFormats) {
    for (const int points : {2, 5, 7, 9, 27}) {
      for (const bool coefficients : {false, true}) {
        check_same(stencil_work({points, coefficients, true}, 100, format.bytes),
                   roofline::stencil(100, points, format.precision,
                                     roofline::StencilReuse::kPerfect, coefficients));
        check_same(stencil_work({points, coefficients, false}, 100, format.bytes),
                   roofline::stencil(100, points, format.precision, roofline::StencilReuse::kNone,
                                     coefficients));
      }
    }
  }
}

TEST_CASE("the tables of BLAS") {
  for (const auto& [precision, bytes] : kFormats) {
    for (const double n : kSizes) {
      check_same(blas1_work(Blas1::kCopy, n, bytes), roofline::copy(n, precision));
      check_same(blas1_work(Blas1::kScal, n, bytes), roofline::scal(n, precision));
      check_same(blas1_work(Blas1::kAxpy, n, bytes), roofline::axpy(n, precision));
      check_same(blas1_work(Blas1::kDot, n, bytes), roofline::dot(n, precision));
      check_same(blas1_work(Blas1::kNrm2, n, bytes), roofline::nrm2(n, precision));
      check_same(blas1_work(Blas1::kAsum, n, bytes), roofline::asum(n, precision));
      check_same(blas2_work(Blas2::kGemv, n, bytes), roofline::gemv(n, n, precision));
      check_same(blas2_work(Blas2::kSymv, n, bytes), roofline::symv(n, precision));
      check_same(blas2_work(Blas2::kTrmv, n, bytes), roofline::trmv(n, precision));
      check_same(blas2_work(Blas2::kGer, n, bytes), roofline::ger(n, n, precision));
      check_same(blas3_work(Blas3::kGemm, n, bytes), roofline::gemm(n, n, n, precision));
      check_same(blas3_work(Blas3::kGemmReadC, n, bytes), roofline::gemm(n, n, n, precision, true));
      check_same(blas3_work(Blas3::kSymm, n, bytes), roofline::symm(n, n, precision));
      check_same(blas3_work(Blas3::kSyrk, n, bytes), roofline::syrk(n, n, precision));
      check_same(blas3_work(Blas3::kTrmm, n, bytes), roofline::trmm(n, n, precision));
    }
  }
}

TEST_CASE("products and layers of any shape") {
  for (const auto& [precision, bytes] : kFormats) {
    check_same(gemv_work(5, 70, bytes), roofline::gemv(5, 70, precision));
    check_same(gemm_work(5, 70, 900, bytes), roofline::gemm(5, 70, 900, precision));
    check_same(linear_work(5, 70, 900, bytes),
               roofline::linear(5, 70, 900, {precision, 0, precision, 0}, precision));
    check_same(convolution_work({2, 3, 5, 7, 11, 3}, bytes),
               roofline::convolution({2, 3, 5, 7, 11, 3, 3}, precision));
  }
}

TEST_CASE("norms and activations") {
  for (const auto& [precision, bytes] : kFormats) {
    check_same(row_work(RowOperation::kRelu, 10, bytes), roofline::relu(10, precision));
    check_same(row_work(RowOperation::kGelu, 10, bytes), roofline::gelu(10, precision));
    check_same(row_work(RowOperation::kSilu, 10, bytes), roofline::silu(10, precision));
    check_same(row_work(RowOperation::kSoftmax, 10, bytes), roofline::softmax(1, 10, precision));
    check_same(row_work(RowOperation::kLayerNorm, 10, bytes),
               roofline::layer_norm(1, 10, precision));
    check_same(row_work(RowOperation::kRmsNorm, 10, bytes), roofline::rms_norm(1, 10, precision));
    check_same(row_work(RowOperation::kResidualAdd, 10, bytes),
               roofline::residual_add(10, precision));
    check_same(row_work(RowOperation::kDropout, 10, bytes), roofline::dropout(10, precision));
  }
}

TEST_CASE("traffic of a tiled product") {
  for (const auto& [precision, bytes] : kFormats) {
    for (const bool reuse : {false, true}) {
      const Operation model = roofline::tiled_gemm(3 * 16, 5 * 16, 7 * 16, 16, precision, reuse);
      const Traffic traffic = tiled_gemm_traffic({3, 5, 7, 16}, bytes, reuse);
      CHECK(traffic.dram_bytes == Approx(model.bytes()));
      CHECK(traffic.l2_bytes == Approx(model.inner.front().bytes));
    }
  }
}
