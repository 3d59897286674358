// SPDX-License-Identifier: MIT
// Matrix instructions of tensor cores. A warp's 32 lanes hold the matrices together, as in the PTX
// ISA under "Matrix fragments for mma.m16n8k16": of the sums, lane 4 q + t holds columns 2 t and 2
// t + 1 of rows q and q + 8.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu::mma {

/// The lanes that hold a matrix together with this one.
__device__ __forceinline__ LaneMask lanes_of_matrix() {
  return kFullMask;
}

/// Adds the product of a 16 x 16 and a 16 x 8 matrix to four sums of each lane.
__device__ __forceinline__ void multiply_bf16(float* sums, const unsigned (&left)[4],
                                              unsigned right_low, unsigned right_high) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right_low), "r"(right_high));
}
__device__ __forceinline__ void multiply_fp16(float* sums, const unsigned (&left)[4],
                                              unsigned right_low, unsigned right_high) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right_low), "r"(right_high));
}
/// `to` becomes the sums plus the product. Volatile, like load_now(): it stays behind the loads
/// that are written before it.
__device__ __forceinline__ void multiply_fp16_now(float (&to)[4], const float (&sums)[4],
                                                  const unsigned (&left)[4], unsigned right_low,
                                                  unsigned right_high) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %11, %12, %13};"
      : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right_low), "r"(right_high),
        "f"(sums[0]), "f"(sums[1]), "f"(sums[2]), "f"(sums[3]));
}

/// Four 8 x 8 matrices from shared memory; lane l passes the address of row l % 8 of matrix l / 8.
__device__ __forceinline__ void load_four(unsigned (&to)[4], const __nv_bfloat16* row) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared)
               : "memory");
}
__device__ __forceinline__ void load_four_transposed(unsigned (&to)[4], const __nv_bfloat16* row) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared)
               : "memory");
}

}  // namespace gpu::mma
