// SPDX-License-Identifier: MIT
// Functions of topic 01; formulas.hpp documents what each must return.
#include "formulas.hpp"

#include <algorithm>
#include <limits>

#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double arithmetic_intensity(const Work& work) {
  //@solve 01.f.intensity: FLOP per byte, even if no byte moves.
  if (work.bytes == 0) return std::numeric_limits<double>::infinity();
  return work.flops / work.bytes;
  //@stub
  //| harness::unsolved("01.f.intensity", "topics/01-ai-basics/README.md#intensity");
  //@end
}

double time_seconds(const Work& work, const Machine& machine) {
  //@solve 01.f.time: the larger of two times.
  return std::max(work.flops / machine.peak, work.bytes / machine.bandwidth);
  //@stub
  //| harness::unsolved("01.f.time", "topics/01-ai-basics/README.md#time");
  //@end
}

Work stencil_work(const Stencil& stencil, double n, double element_bytes) {
  //@solve 01.f.stencil: additions, multiplications if any; values read, one written.
  const double points = stencil.points;
  const double flops = points - 1 + (stencil.coefficients ? points : 0);
  const double values_read = stencil.reuse ? 1 : points;
  return {flops * n, (values_read + 1) * element_bytes * n};
  //@stub
  //| harness::unsolved("01.f.stencil", "topics/01-ai-basics/README.md#stencils");
  //@end
}

Work blas1_work(Blas1 routine, double n, double element_bytes) {
  //@solve 01.f.blas1: a table of FLOPs per element, and of vectors that move.
  const double vector = n * element_bytes;
  switch (routine) {
    case Blas1::kCopy:
      return {0, 2 * vector};
    case Blas1::kScal:
      return {n, 2 * vector};
    case Blas1::kAxpy:
      return {2 * n, 3 * vector};
    case Blas1::kDot:
      return {2 * n, 2 * vector};
    case Blas1::kNrm2:
      return {2 * n, vector};
    case Blas1::kAsum:
      return {n, vector};
  }
  return {};
  //@stub
  //| harness::unsolved("01.f.blas1", "topics/01-ai-basics/README.md#blas");
  //@end
}

Work blas2_work(Blas2 routine, double n, double element_bytes) {
  //@solve 01.f.blas2: which parts of the matrix move, and which vectors?
  const double matrix = n * n * element_bytes;
  const double triangle = n * (n + 1) / 2 * element_bytes;
  const double vector = n * element_bytes;
  switch (routine) {
    case Blas2::kGemv:
      return {2 * n * n, matrix + 2 * vector};
    case Blas2::kSymv:
      return {2 * n * n, triangle + 2 * vector};
    case Blas2::kTrmv:
      return {n * n, triangle + 2 * vector};
    case Blas2::kGer:
      return {2 * n * n, 2 * matrix + 2 * vector};
  }
  return {};
  //@stub
  //| harness::unsolved("01.f.blas2", "topics/01-ai-basics/README.md#blas");
  //@end
}

Work blas3_work(Blas3 routine, double n, double element_bytes) {
  //@solve 01.f.blas3: cubes of FLOPs over squares of bytes.
  const double matrix = n * n * element_bytes;
  const double triangle = n * (n + 1) / 2 * element_bytes;
  switch (routine) {
    case Blas3::kGemm:
      return {2 * n * n * n, 3 * matrix};
    case Blas3::kGemmReadC:
      return {2 * n * n * n, 4 * matrix};
    case Blas3::kSymm:
      return {2 * n * n * n, triangle + 2 * matrix};
    case Blas3::kSyrk:
      return {n * (n + 1) * n, matrix + triangle};
    case Blas3::kTrmm:
      return {n * n * n, triangle + 2 * matrix};
  }
  return {};
  //@stub
  //| harness::unsolved("01.f.blas3", "topics/01-ai-basics/README.md#blas");
  //@end
}

Work gemv_work(double m, double n, double element_bytes) {
  //@solve 01.f.gemv: a multiply-add for every element of A.
  return {2 * m * n, element_bytes * (m * n + n + m)};
  //@stub
  //| harness::unsolved("01.f.gemv", "topics/01-ai-basics/README.md#products");
  //@end
}

Work gemm_work(double m, double n, double k, double element_bytes) {
  //@solve 01.f.gemm: k multiply-adds for every element of C; three matrices move.
  return {2 * m * n * k, element_bytes * (m * k + k * n + m * n)};
  //@stub
  //| harness::unsolved("01.f.gemm", "topics/01-ai-basics/README.md#products");
  //@end
}

Work convolution_work(const Convolution& shape, double element_bytes) {
  //@solve 01.f.convolution: a filter for every pixel; input, filter and output move once.
  const double pixels = shape.batch * shape.height * shape.width;
  const double filter = shape.in_channels * shape.out_channels * shape.kernel * shape.kernel;
  return {2 * pixels * filter,
          element_bytes * (pixels * shape.in_channels + filter + pixels * shape.out_channels)};
  //@stub
  //| harness::unsolved("01.f.convolution", "topics/01-ai-basics/README.md#layers");
  //@end
}

Work linear_work(double batch, double in_features, double out_features, double element_bytes) {
  //@solve 01.f.linear: weights are read once for the whole batch.
  return {
      2 * batch * in_features * out_features,
      element_bytes * (in_features * out_features + batch * in_features + batch * out_features)};
  //@stub
  //| harness::unsolved("01.f.linear", "topics/01-ai-basics/README.md#layers");
  //@end
}

Work row_work(RowOperation operation, double n, double element_bytes) {
  //@solve 01.f.rows: FLOPs per element from formulas.hpp, and how many arrays move?
  const double read_and_written = 2 * n * element_bytes;
  switch (operation) {
    case RowOperation::kRelu:
      return {n, read_and_written};
    case RowOperation::kGelu:
      return {12 * n, read_and_written};
    case RowOperation::kSilu:
      return {4 * n, read_and_written};
    case RowOperation::kSoftmax:
      return {5 * n, read_and_written};
    case RowOperation::kLayerNorm:
      return {8 * n, read_and_written};
    case RowOperation::kRmsNorm:
      return {5 * n, read_and_written};
    case RowOperation::kResidualAdd:
      return {n, read_and_written + n * element_bytes};
    case RowOperation::kDropout:
      return {2 * n, read_and_written};
  }
  return {};
  //@stub
  //| harness::unsolved("01.f.rows", "topics/01-ai-basics/README.md#elementwise");
  //@end
}

Traffic tiled_gemm_traffic(const TiledGemm& shape, double element_bytes, bool l2_reuse) {
  //@solve 01.f.tiled: two tiles for every step of every tile of C.
  const double tile_bytes = shape.tile * shape.tile * element_bytes;
  const double result = shape.row_tiles * shape.column_tiles * tile_bytes;
  const double loads = 2 * shape.inner_tiles * result;
  const double operands = (shape.row_tiles + shape.column_tiles) * shape.inner_tiles * tile_bytes;
  return {loads + result, (l2_reuse ? operands : loads) + result};
  //@stub
  //| harness::unsolved("01.f.tiled", "topics/01-ai-basics/README.md#tiling");
  //@end
}

HARNESS_FUNCTION(arithmetic_intensity)
HARNESS_FUNCTION(time_seconds)
HARNESS_FUNCTION(stencil_work)
HARNESS_FUNCTION(blas1_work)
HARNESS_FUNCTION(blas2_work)
HARNESS_FUNCTION(blas3_work)
HARNESS_FUNCTION(gemv_work)
HARNESS_FUNCTION(gemm_work)
HARNESS_FUNCTION(convolution_work)
HARNESS_FUNCTION(linear_work)
HARNESS_FUNCTION(row_work)
HARNESS_FUNCTION(tiled_gemm_traffic)
