// SPDX-License-Identifier: MIT
// What checked kernels have in place of tensor cores. 32 lanes of a warp call each function
// together; every lane brings words of its own and gets some back, in the layouts of the PTX ISA's
// mma.m16n8k16 and ldmatrix. Nothing here touches a kernel's memory.
#pragma once

namespace gpu::cpu {

/// What the factors of a product are.
enum class Factors { kFp16, kBf16 };

/// Multiply-adds of an instruction of 16 x 8 x 16, over its lanes.
inline constexpr int kProductsOfLane = 16 * 8 * 16 / 32;

struct MatrixSums {
  float of_lane[4];
};
struct MatrixWords {
  unsigned of_lane[4];  ///< two numbers each
};

/// The sums, and on top of them the product of a 16 x 16 matrix and a 16 x 8 one. One matrix
/// instruction.
[[gnu::noinline]] MatrixSums multiply_matrices(Factors factors, MatrixSums sums, MatrixWords left,
                                               unsigned right_low, unsigned right_high);
/// Four 8 x 8 matrices, of which lane l brings row l % 8 of matrix l / 8, spread over the lanes as
/// products need them: the second half of an ldmatrix.
MatrixWords exchange_rows(MatrixWords row, bool are_transposed);
/// Transposes four 8 x 8 matrices that are spread so.
MatrixWords transposed(MatrixWords matrices);

}  // namespace gpu::cpu
