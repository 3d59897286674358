// SPDX-License-Identifier: MIT
// The checked kernels' substitute for tensor cores. 32 lanes of a warp call each function together;
// every lane passes in its own words and gets others back, in the layouts of the PTX ISA's
// mma.m16n8k16 and ldmatrix. Nothing here touches a kernel's memory.
#pragma once

namespace gpu::cpu {

/// The number format of a product's factors.
enum class Factors { kFp16, kBf16 };

/// Multiply-adds per lane of a 16 x 8 x 16 instruction.
inline constexpr int kProductsOfLane = 16 * 8 * 16 / 32;

struct MatrixSums {
  float of_lane[4];
};
struct MatrixWords {
  unsigned of_lane[4];  ///< two numbers each
};

/// One matrix instruction: adds the product of a 16 x 16 matrix and a 16 x 8 one to the sums.
[[gnu::noinline]] MatrixSums multiply_matrices(Factors factors, MatrixSums sums, MatrixWords left,
                                               unsigned right_low, unsigned right_high);
/// Takes four 8 x 8 matrices, of which lane l passes in row l % 8 of matrix l / 8, and distributes
/// them over the lanes as products need them: the second half of an ldmatrix.
MatrixWords exchange_rows(MatrixWords row, bool are_transposed);
/// Transposes four 8 x 8 matrices distributed in this way.
MatrixWords transposed(MatrixWords matrices);

}  // namespace gpu::cpu
