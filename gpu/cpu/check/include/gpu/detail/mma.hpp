// SPDX-License-Identifier: MIT
// Matrix instructions of checked kernels: an emulation of the tensor cores' ones, in the same
// layouts. See the CUDA backend's header of this name.
#pragma once

#include <type_traits>

#include "gpu/counts.hpp"
#include "gpu/cpu/matrix_unit.hpp"
#include "gpu/kernel.hpp"

namespace gpu::mma {

/// The lanes that hold a matrix together with this one: 32, also in a warp of 64.
__device__ __forceinline__ LaneMask lanes_of_matrix() {
  return LaneMask{0xffffffffu} << (cpu::lane_index() / 32 * 32);
}

namespace detail {

__device__ __forceinline__ float plain(float number) {
  return number;
}
template <class T>
__device__ __forceinline__ float plain(const T& number) {
  return value_of(number);
}

template <class T>
__device__ __forceinline__ void multiply(cpu::Factors factors, T* sums, const unsigned (&left)[4],
                                         unsigned right_low, unsigned right_high) {
  const cpu::MatrixSums result = cpu::multiply_matrices(
      factors, {plain(sums[0]), plain(sums[1]), plain(sums[2]), plain(sums[3])},
      {left[0], left[1], left[2], left[3]}, right_low, right_high);
  for (int i = 0; i < 4; ++i) sums[i] = T(result.of_lane[i]);
  if constexpr (!std::is_same_v<T, float>) {
    for (int i = 0; i < cpu::kProductsOfLane; ++i) tally(&Counts::fused_multiply_adds);
  }
}

__device__ __forceinline__ void load(unsigned (&to)[4], const __nv_bfloat16* row,
                                     bool are_transposed) {
  const uint4 own(*reinterpret_cast<const uint4*>(row));
  const cpu::MatrixWords words = cpu::exchange_rows({own.x, own.y, own.z, own.w}, are_transposed);
  for (int i = 0; i < 4; ++i) to[i] = words.of_lane[i];
}

}  // namespace detail

template <class T>
__device__ __forceinline__ void multiply_bf16(T* sums, const unsigned (&left)[4],
                                              unsigned right_low, unsigned right_high) {
  detail::multiply(cpu::Factors::kBf16, sums, left, right_low, right_high);
}
template <class T>
__device__ __forceinline__ void multiply_fp16(T* sums, const unsigned (&left)[4],
                                              unsigned right_low, unsigned right_high) {
  detail::multiply(cpu::Factors::kFp16, sums, left, right_low, right_high);
}
__device__ __forceinline__ void multiply_fp16_now(float (&to)[4], const float (&sums)[4],
                                                  const unsigned (&left)[4], unsigned right_low,
                                                  unsigned right_high) {
  for (int i = 0; i < 4; ++i) to[i] = sums[i];
  detail::multiply(cpu::Factors::kFp16, to, left, right_low, right_high);
}

__device__ __forceinline__ void load_four(unsigned (&to)[4], const __nv_bfloat16* row) {
  detail::load(to, row, false);
}
__device__ __forceinline__ void load_four_transposed(unsigned (&to)[4], const __nv_bfloat16* row) {
  detail::load(to, row, true);
}
/// Transposes four 8 x 8 matrices of 16-bit numbers, as movmatrix does for one.
__device__ __forceinline__ void transpose(unsigned (&words)[4]) {
  const cpu::MatrixWords result = cpu::transposed({words[0], words[1], words[2], words[3]});
  for (int i = 0; i < 4; ++i) words[i] = result.of_lane[i];
}

}  // namespace gpu::mma
