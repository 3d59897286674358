// SPDX-License-Identifier: MIT
// Functions of topic 01; formulas.hpp documents what each must return.
#include "formulas.hpp"

#include <algorithm>
#include <limits>

#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double arithmetic_intensity(const Work& work) {
  // TODO(01.f.intensity): FLOP per byte, even if no byte moves.
  harness::unsolved("01.f.intensity", "topics/01-ai-basics/README.md#intensity");
  // END TODO(01.f.intensity)
}

double time_seconds(const Work& work, const Machine& machine) {
  // TODO(01.f.time): the larger of two times.
  harness::unsolved("01.f.time", "topics/01-ai-basics/README.md#time");
  // END TODO(01.f.time)
}

Work stencil_work(const Stencil& stencil, double n, double element_bytes) {
  // TODO(01.f.stencil): additions, multiplications if any; values read, one written.
  harness::unsolved("01.f.stencil", "topics/01-ai-basics/README.md#stencils");
  // END TODO(01.f.stencil)
}

Work blas1_work(Blas1 routine, double n, double element_bytes) {
  // TODO(01.f.blas1): a table of FLOPs per element, and of vectors that move.
  harness::unsolved("01.f.blas1", "topics/01-ai-basics/README.md#blas");
  // END TODO(01.f.blas1)
}

Work blas2_work(Blas2 routine, double n, double element_bytes) {
  // TODO(01.f.blas2): which parts of the matrix move, and which vectors?
  harness::unsolved("01.f.blas2", "topics/01-ai-basics/README.md#blas");
  // END TODO(01.f.blas2)
}

Work blas3_work(Blas3 routine, double n, double element_bytes) {
  // TODO(01.f.blas3): cubes of FLOPs over squares of bytes.
  harness::unsolved("01.f.blas3", "topics/01-ai-basics/README.md#blas");
  // END TODO(01.f.blas3)
}

Work gemv_work(double m, double n, double element_bytes) {
  // TODO(01.f.gemv): a multiply-add for every element of A.
  harness::unsolved("01.f.gemv", "topics/01-ai-basics/README.md#products");
  // END TODO(01.f.gemv)
}

Work gemm_work(double m, double n, double k, double element_bytes) {
  // TODO(01.f.gemm): k multiply-adds for every element of C; three matrices move.
  harness::unsolved("01.f.gemm", "topics/01-ai-basics/README.md#products");
  // END TODO(01.f.gemm)
}

Work convolution_work(const Convolution& shape, double element_bytes) {
  // TODO(01.f.convolution): a filter for every pixel; input, filter and output move once.
  harness::unsolved("01.f.convolution", "topics/01-ai-basics/README.md#layers");
  // END TODO(01.f.convolution)
}

Work linear_work(double batch, double in_features, double out_features, double element_bytes) {
  // TODO(01.f.linear): weights are read once for the whole batch.
  harness::unsolved("01.f.linear", "topics/01-ai-basics/README.md#layers");
  // END TODO(01.f.linear)
}

Work row_work(RowOperation operation, double n, double element_bytes) {
  // TODO(01.f.rows): FLOPs per element from formulas.hpp, and how many arrays move?
  harness::unsolved("01.f.rows", "topics/01-ai-basics/README.md#elementwise");
  // END TODO(01.f.rows)
}

Traffic tiled_gemm_traffic(const TiledGemm& shape, double element_bytes, bool l2_reuse) {
  // TODO(01.f.tiled): two tiles for every step of every tile of C.
  harness::unsolved("01.f.tiled", "topics/01-ai-basics/README.md#tiling");
  // END TODO(01.f.tiled)
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
