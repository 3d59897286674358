// SPDX-License-Identifier: MIT
// nvcuda::wmma on top of matrix instructions: two mma.m16n8k16 per product. Fragments have the
// layout of these instructions, so that, as with nvcc, a load is four warp requests for 32-bit
// words and a store is four for pairs of sums. If the matrix is stored in the other order, the
// lanes transpose the words among themselves. In a warp of 64 lanes the first 32 do the work.
#pragma once

#include <cstddef>
#include <type_traits>

#include "gpu/detail/mma.hpp"
#include "gpu/detail/wmma_names.hpp"
#include "gpu/kernel.hpp"
#include "gpu/vector.hpp"

namespace nvcuda::wmma {

/// A lane's part of a 16 x 16 tile of factors.
template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  static_assert(m == kSide && n == kSide && k == kSide, "only 16 x 16 x 16 is there");
  static_assert(sizeof(T) == 2, "factors are __half or __nv_bfloat16");
  unsigned words[4];
};
/// A lane's sums: those of columns 0 to 7, then of columns 8 to 15.
template <int m, int n, int k, class T>
struct fragment<accumulator, m, n, k, T> {
  static_assert(m == kSide && n == kSide && k == kSide, "only 16 x 16 x 16 is there");
  T sums[8];
};

namespace detail {

__device__ __forceinline__ int lane() {
  return gpu::cpu::lane_index();
}
__device__ __forceinline__ bool has_work() {
  return lane() < 32;
}
/// The row, in an 8 x 8 matrix, of the numbers that a lane holds; column() is the first column.
__device__ __forceinline__ int row() {
  return lane() / 4;
}
__device__ __forceinline__ int column() {
  return lane() % 4 * 2;
}

/// Whether the two numbers of a pair are in different rows of memory.
template <class Use, class Layout>
inline constexpr bool kIsTransposed = false;
template <>
inline constexpr bool kIsTransposed<matrix_a, col_major> = true;
template <>
inline constexpr bool kIsTransposed<matrix_b, row_major> = true;

/// Offset of this lane's pair of word i from the first element of a tile. The words of a left
/// factor are rows 0 to 7 and 8 to 15 of columns 0 to 7, then the same rows of columns 8 to 15; a
/// right factor has the same order.
template <class Layout>
__device__ __forceinline__ std::size_t pair_at(int i, unsigned stride) {
  const int low = i % 2 * 8;
  const int high = i / 2 * 8;
  const bool by_rows = std::is_same_v<Layout, row_major>;
  const int line = row() + (by_rows ? low : high);
  return std::size_t{stride} * static_cast<unsigned>(line) +
         static_cast<unsigned>(column() + (by_rows ? high : low));
}

}  // namespace detail

template <class T>
__device__ __forceinline__ void fill_fragment(fragment<accumulator, kSide, kSide, kSide, T>& to,
                                              T value) {
  for (T& sum : to.sums) sum = value;
}

template <class Use, class T, class Layout>
__device__ __forceinline__ void load_matrix_sync(fragment<Use, kSide, kSide, kSide, T, Layout>& to,
                                                 const T* from, unsigned stride) {
  if (!detail::has_work()) return;
  for (int i = 0; i < 4; ++i) {
    to.words[i] = *reinterpret_cast<const unsigned*>(from + detail::pair_at<Layout>(i, stride));
  }
  if constexpr (detail::kIsTransposed<Use, Layout>) gpu::mma::transpose(to.words);
}

template <class T, class LayoutA, class LayoutB>
__device__ __forceinline__ void mma_sync(
    fragment<accumulator, kSide, kSide, kSide, float>& d,
    const fragment<matrix_a, kSide, kSide, kSide, T, LayoutA>& a,
    const fragment<matrix_b, kSide, kSide, kSide, T, LayoutB>& b,
    const fragment<accumulator, kSide, kSide, kSide, float>& c) {
  if (!detail::has_work()) return;
  for (int i = 0; i < 8; ++i) d.sums[i] = c.sums[i];
  for (int half = 0; half < 2; ++half) {
    float* const sums = d.sums + 4 * half;
    if constexpr (std::is_same_v<T, __half>) {
      gpu::mma::multiply_fp16(sums, a.words, b.words[2 * half], b.words[2 * half + 1]);
    } else {
      gpu::mma::multiply_bf16(sums, a.words, b.words[2 * half], b.words[2 * half + 1]);
    }
  }
}

template <class T>
__device__ __forceinline__ void store_matrix_sync(
    T* to, const fragment<accumulator, kSide, kSide, kSide, T>& from, unsigned stride,
    layout_t layout) {
  if (!detail::has_work()) return;
  for (int i = 0; i < 8; i += 2) {
    const int row = detail::row() + i / 2 % 2 * 8;
    const int column = detail::column() + i / 4 * 8;
    if (layout == mem_row_major) {
      auto* const pair = reinterpret_cast<typename gpu::VectorOf<T, 2>::type*>(
          to + std::size_t{stride} * static_cast<unsigned>(row) + column);
      *pair = {from.sums[i], from.sums[i + 1]};
    } else {
      T* const pair = to + std::size_t{stride} * static_cast<unsigned>(column) + row;
      pair[0] = from.sums[i];
      pair[stride] = from.sums[i + 1];
    }
  }
}

}  // namespace nvcuda::wmma
