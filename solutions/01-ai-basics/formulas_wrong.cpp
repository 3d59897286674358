// SPDX-License-Identifier: MIT
// The formulas behind common mistakes in topic 01's functions: a student's function that agrees
// with one of them gets the message that exercises.toml lists for it. Results that are off by one
// constant factor need no entry here.
#include <algorithm>

#include "formulas.hpp"
#include "harness/function.hpp"

namespace {

// Intensity and time.
double intensity_inverted(const Work& work) {
  return work.bytes / work.flops;
}
double intensity_zero_without_bytes(const Work& work) {
  return work.bytes == 0 ? 0 : arithmetic_intensity(work);
}
double time_added_up(const Work& work, const Machine& machine) {
  return work.flops / machine.peak + work.bytes / machine.bandwidth;
}
double time_of_the_faster(const Work& work, const Machine& machine) {
  return std::min(work.flops / machine.peak, work.bytes / machine.bandwidth);
}
double time_of_arithmetic(const Work& work, const Machine& machine) {
  return work.flops / machine.peak;
}

// Stencils.
Work stencil_adds_each_point(const Stencil& stencil, double n, double element_bytes) {
  Work work = stencil_work(stencil, n, element_bytes);
  work.flops += n;
  return work;
}
Work stencil_without_products(const Stencil& stencil, double n, double element_bytes) {
  return stencil_work({stencil.points, false, stencil.reuse}, n, element_bytes);
}
Work stencil_without_store(const Stencil& stencil, double n, double element_bytes) {
  Work work = stencil_work(stencil, n, element_bytes);
  work.bytes -= n * element_bytes;
  return work;
}
Work stencil_always_cached(const Stencil& stencil, double n, double element_bytes) {
  return stencil_work({stencil.points, stencil.coefficients, true}, n, element_bytes);
}

// BLAS.
Work blas1_y_once(Blas1 routine, double n, double element_bytes) {
  Work work = blas1_work(routine, n, element_bytes);
  if (routine == Blas1::kAxpy) work.bytes -= n * element_bytes;
  return work;
}
Work blas1_without_stores(Blas1 routine, double n, double element_bytes) {
  Work work = blas1_work(routine, n, element_bytes);
  const bool stores = routine == Blas1::kCopy || routine == Blas1::kScal || routine == Blas1::kAxpy;
  if (stores) work.bytes -= n * element_bytes;
  return work;
}
Work blas2_ger_once(Blas2 routine, double n, double element_bytes) {
  Work work = blas2_work(routine, n, element_bytes);
  if (routine == Blas2::kGer) work.bytes -= n * n * element_bytes;
  return work;
}
Work blas2_no_diagonal(Blas2 routine, double n, double element_bytes) {
  Work work = blas2_work(routine, n, element_bytes);
  const bool triangle = routine == Blas2::kSymv || routine == Blas2::kTrmv;
  if (triangle) work.bytes -= n / 2 * element_bytes;
  return work;
}
Work blas2_whole_matrix(Blas2 routine, double n, double element_bytes) {
  Work work = blas2_work(routine, n, element_bytes);
  const bool triangle = routine == Blas2::kSymv || routine == Blas2::kTrmv;
  if (triangle) work.bytes += n * (n - 1) / 2 * element_bytes;
  return work;
}
Work blas2_whole_trmv(Blas2 routine, double n, double element_bytes) {
  Work work = blas2_work(routine, n, element_bytes);
  if (routine == Blas2::kTrmv) work.flops *= 2;
  return work;
}
Work blas2_half_symv(Blas2 routine, double n, double element_bytes) {
  Work work = blas2_work(routine, n, element_bytes);
  if (routine == Blas2::kSymv) work.flops /= 2;
  return work;
}
Work blas2_matrix_only(Blas2 routine, double n, double element_bytes) {
  Work work = blas2_work(routine, n, element_bytes);
  work.bytes -= 2 * n * element_bytes;
  return work;
}
Work blas3_whole_syrk(Blas3 routine, double n, double element_bytes) {
  if (routine != Blas3::kSyrk) return blas3_work(routine, n, element_bytes);
  return {2 * n * n * n, 2 * n * n * element_bytes};
}
Work blas3_whole_triangle(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_work(routine, n, element_bytes);
  const bool triangle = routine == Blas3::kSymm || routine == Blas3::kTrmm;
  if (triangle) work.bytes += n * (n - 1) / 2 * element_bytes;
  return work;
}
Work blas3_whole_trmm(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_work(routine, n, element_bytes);
  if (routine == Blas3::kTrmm) work.flops = 2 * n * n * n;
  return work;
}
Work blas3_whole_flops(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_whole_trmm(routine, n, element_bytes);
  if (routine == Blas3::kSyrk) work.flops = 2 * n * n * n;
  return work;
}
Work blas3_all_whole(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_whole_flops(routine, n, element_bytes);
  const bool triangle = routine == Blas3::kSymm || routine == Blas3::kSyrk;
  if (triangle || routine == Blas3::kTrmm) work.bytes += n * (n - 1) / 2 * element_bytes;
  return work;
}
Work blas3_syrk_halved(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_work(routine, n, element_bytes);
  if (routine == Blas3::kSyrk) work.flops /= 2;
  return work;
}
Work blas3_trmm_halved(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_work(routine, n, element_bytes);
  if (routine == Blas3::kTrmm) work.flops /= 2;
  return work;
}
Work blas3_both_halved(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_syrk_halved(routine, n, element_bytes);
  if (routine == Blas3::kTrmm) work.flops /= 2;
  return work;
}
Work blas3_no_diagonal(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_work(routine, n, element_bytes);
  const bool triangle = routine == Blas3::kSymm || routine == Blas3::kSyrk;
  if (triangle || routine == Blas3::kTrmm) work.bytes -= n / 2 * element_bytes;
  if (routine == Blas3::kSyrk) work.flops = n * n * n;
  return work;
}
Work blas3_b_once(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_work(routine, n, element_bytes);
  if (routine == Blas3::kTrmm) work.bytes -= n * n * element_bytes;
  return work;
}
Work blas3_a_twice(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_work(routine, n, element_bytes);
  if (routine == Blas3::kSyrk) work.bytes += n * n * element_bytes;
  return work;
}
Work blas3_c_not_read(Blas3 routine, double n, double element_bytes) {
  Work work = blas3_work(routine, n, element_bytes);
  if (routine == Blas3::kGemmReadC) work.bytes -= n * n * element_bytes;
  return work;
}

// Products and layers.
Work gemv_matrix_only(double m, double n, double element_bytes) {
  return {2 * m * n, element_bytes * m * n};
}
Work gemv_without_store(double m, double n, double element_bytes) {
  return {2 * m * n, element_bytes * (m * n + n)};
}
Work gemm_reads_c(double m, double n, double k, double element_bytes) {
  return {2 * m * n * k, element_bytes * (m * k + k * n + 2 * m * n)};
}
Work gemm_without_store(double m, double n, double k, double element_bytes) {
  return {2 * m * n * k, element_bytes * (m * k + k * n)};
}
Work gemm_without_reuse(double m, double n, double k, double element_bytes) {
  return {2 * m * n * k, element_bytes * (2 * m * n * k + m * n)};
}
Work convolution_without_filter(const Convolution& shape, double element_bytes) {
  Work work = convolution_work(shape, element_bytes);
  work.bytes -=
      element_bytes * shape.in_channels * shape.out_channels * shape.kernel * shape.kernel;
  return work;
}
Work convolution_of_one_channel(const Convolution& shape, double element_bytes) {
  Work work = convolution_work(shape, element_bytes);
  work.flops /= shape.in_channels;
  return work;
}
Work convolution_of_one_row(const Convolution& shape, double element_bytes) {
  Work work = convolution_work(shape, element_bytes);
  work.flops /= shape.kernel;
  return work;
}
Work convolution_of_one_image(const Convolution& shape, double element_bytes) {
  Convolution one = shape;
  one.batch = 1;
  return convolution_work(one, element_bytes);
}
Work linear_weights_only(double batch, double in_features, double out_features,
                         double element_bytes) {
  return {2 * batch * in_features * out_features, element_bytes * in_features * out_features};
}
Work linear_weights_each_row(double batch, double in_features, double out_features,
                             double element_bytes) {
  return {2 * batch * in_features * out_features,
          element_bytes * batch * (in_features * out_features + in_features + out_features)};
}
Work linear_without_store(double batch, double in_features, double out_features,
                          double element_bytes) {
  return {2 * batch * in_features * out_features,
          element_bytes * (in_features * out_features + batch * in_features)};
}

// Rows.
Work rows_residual_once(RowOperation operation, double n, double element_bytes) {
  Work work = row_work(operation, n, element_bytes);
  if (operation == RowOperation::kResidualAdd) work.bytes -= n * element_bytes;
  return work;
}
Work rows_with_mask(RowOperation operation, double n, double element_bytes) {
  Work work = row_work(operation, n, element_bytes);
  if (operation == RowOperation::kDropout) work.bytes += n * element_bytes;
  return work;
}
Work rows_without_store(RowOperation operation, double n, double element_bytes) {
  Work work = row_work(operation, n, element_bytes);
  work.bytes -= n * element_bytes;
  return work;
}

// Tiled product.
Traffic tiled_one_operand(const TiledGemm& shape, double element_bytes, bool l2_reuse) {
  const double tile_bytes = shape.tile * shape.tile * element_bytes;
  const double result = shape.row_tiles * shape.column_tiles * tile_bytes;
  const double loads = shape.inner_tiles * result;
  const double operand = shape.row_tiles * shape.inner_tiles * tile_bytes;
  return {loads + result, (l2_reuse ? operand : loads) + result};
}
Traffic tiled_without_store(const TiledGemm& shape, double element_bytes, bool l2_reuse) {
  const Traffic traffic = tiled_gemm_traffic(shape, element_bytes, l2_reuse);
  const double result =
      shape.row_tiles * shape.column_tiles * shape.tile * shape.tile * element_bytes;
  return {traffic.l2_bytes - result, traffic.dram_bytes - result};
}
Traffic tiled_always_reused(const TiledGemm& shape, double element_bytes, bool) {
  return tiled_gemm_traffic(shape, element_bytes, true);
}
Traffic tiled_never_reused(const TiledGemm& shape, double element_bytes, bool) {
  return tiled_gemm_traffic(shape, element_bytes, false);
}

HARNESS_FUNCTION(intensity_inverted)
HARNESS_FUNCTION(intensity_zero_without_bytes)
HARNESS_FUNCTION(time_added_up)
HARNESS_FUNCTION(time_of_the_faster)
HARNESS_FUNCTION(time_of_arithmetic)
HARNESS_FUNCTION(stencil_adds_each_point)
HARNESS_FUNCTION(stencil_without_products)
HARNESS_FUNCTION(stencil_without_store)
HARNESS_FUNCTION(stencil_always_cached)
HARNESS_FUNCTION(blas1_y_once)
HARNESS_FUNCTION(blas1_without_stores)
HARNESS_FUNCTION(blas2_ger_once)
HARNESS_FUNCTION(blas2_no_diagonal)
HARNESS_FUNCTION(blas2_whole_matrix)
HARNESS_FUNCTION(blas2_whole_trmv)
HARNESS_FUNCTION(blas2_half_symv)
HARNESS_FUNCTION(blas2_matrix_only)
HARNESS_FUNCTION(blas3_whole_syrk)
HARNESS_FUNCTION(blas3_whole_triangle)
HARNESS_FUNCTION(blas3_whole_trmm)
HARNESS_FUNCTION(blas3_whole_flops)
HARNESS_FUNCTION(blas3_all_whole)
HARNESS_FUNCTION(blas3_syrk_halved)
HARNESS_FUNCTION(blas3_trmm_halved)
HARNESS_FUNCTION(blas3_both_halved)
HARNESS_FUNCTION(blas3_no_diagonal)
HARNESS_FUNCTION(blas3_b_once)
HARNESS_FUNCTION(blas3_a_twice)
HARNESS_FUNCTION(blas3_c_not_read)
HARNESS_FUNCTION(gemv_matrix_only)
HARNESS_FUNCTION(gemv_without_store)
HARNESS_FUNCTION(gemm_reads_c)
HARNESS_FUNCTION(gemm_without_store)
HARNESS_FUNCTION(gemm_without_reuse)
HARNESS_FUNCTION(convolution_without_filter)
HARNESS_FUNCTION(convolution_of_one_channel)
HARNESS_FUNCTION(convolution_of_one_row)
HARNESS_FUNCTION(convolution_of_one_image)
HARNESS_FUNCTION(linear_weights_only)
HARNESS_FUNCTION(linear_weights_each_row)
HARNESS_FUNCTION(linear_without_store)
HARNESS_FUNCTION(rows_residual_once)
HARNESS_FUNCTION(rows_with_mask)
HARNESS_FUNCTION(rows_without_store)
HARNESS_FUNCTION(tiled_one_operand)
HARNESS_FUNCTION(tiled_without_store)
HARNESS_FUNCTION(tiled_always_reused)
HARNESS_FUNCTION(tiled_never_reused)

}  // namespace
