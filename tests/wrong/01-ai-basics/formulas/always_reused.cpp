// SPDX-License-Identifier: MIT
// Takes reuse in L2 for granted.
// Refused: 01.f.tiled | failed | in dram_bytes: This is the traffic with reuse in L2
#include "formulas.hpp"
#include "harness/function.hpp"

Traffic tiled_gemm_traffic(const TiledGemm& shape, double element_bytes, bool l2_reuse) {
  const double tile_bytes = shape.tile * shape.tile * element_bytes;
  const double result = shape.row_tiles * shape.column_tiles * tile_bytes;
  const double operands = (shape.row_tiles + shape.column_tiles) * shape.inner_tiles * tile_bytes;
  return {2 * shape.inner_tiles * result + result, operands + result};
}

HARNESS_FUNCTION(tiled_gemm_traffic)
