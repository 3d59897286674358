// SPDX-License-Identifier: MIT
// nvcuda::wmma over AMD's matrix instruction v_mfma_f32_16x16x16f16 (gfx90a, gfx940 and later).
#pragma once

#include <cstddef>

#include "gpu/detail/wmma_names.hpp"
#include "gpu/kernel.hpp"

namespace nvcuda::wmma {

/// Elements of a tile that each of the 64 lanes holds.
inline constexpr int kPerLane = kSide * kSide / 64;

using HalfLane = _Float16 __attribute__((ext_vector_type(kPerLane)));
using FloatLane = float __attribute__((ext_vector_type(kPerLane)));

template <class T>
struct LaneOf;
template <>
struct LaneOf<__half> {
  using type = HalfLane;
};
template <>
struct LaneOf<float> {
  using type = FloatLane;
};

/// A 16 x 16 tile, four elements per lane. Lane l holds, of A, row l % 16, columns 4 (l / 16) ...;
/// of B, column l % 16, rows 4 (l / 16) ...; of the sums, column l % 16, rows 4 (l / 16) ...
template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  static_assert(m == kSide && n == kSide && k == kSide, "only 16 x 16 x 16 is there");
  typename LaneOf<T>::type lane;
};

#ifdef __HIPCC__
namespace detail {

__device__ inline int lane_index() {
  return static_cast<int>(__lane_id());
}

template <class Layout>
inline constexpr bool kByColumn = false;
template <>
inline constexpr bool kByColumn<col_major> = true;

__device__ inline std::size_t offset(int row, int column, unsigned stride, bool by_column) {
  const auto major = static_cast<std::size_t>(by_column ? column : row);
  const auto minor = static_cast<std::size_t>(by_column ? row : column);
  return major * stride + minor;
}

}  // namespace detail

template <class Use, class T, class Layout>
__device__ void fill_fragment(fragment<Use, kSide, kSide, kSide, T, Layout>& to, T value) {
  for (int i = 0; i < kPerLane; ++i) to.lane[i] = value;
}

template <class T, class Layout>
__device__ void load_matrix_sync(fragment<matrix_a, kSide, kSide, kSide, T, Layout>& to,
                                 const T* from, unsigned stride) {
  const int row = detail::lane_index() % kSide;
  for (int i = 0; i < kPerLane; ++i) {
    const int column = kPerLane * (detail::lane_index() / kSide) + i;
    to.lane[i] = static_cast<_Float16>(
        __half2float(from[detail::offset(row, column, stride, detail::kByColumn<Layout>)]));
  }
}

template <class T, class Layout>
__device__ void load_matrix_sync(fragment<matrix_b, kSide, kSide, kSide, T, Layout>& to,
                                 const T* from, unsigned stride) {
  const int column = detail::lane_index() % kSide;
  for (int i = 0; i < kPerLane; ++i) {
    const int row = kPerLane * (detail::lane_index() / kSide) + i;
    to.lane[i] = static_cast<_Float16>(
        __half2float(from[detail::offset(row, column, stride, detail::kByColumn<Layout>)]));
  }
}

template <class LayoutA, class LayoutB>
__device__ void mma_sync(fragment<accumulator, kSide, kSide, kSide, float>& d,
                         const fragment<matrix_a, kSide, kSide, kSide, __half, LayoutA>& a,
                         const fragment<matrix_b, kSide, kSide, kSide, __half, LayoutB>& b,
                         const fragment<accumulator, kSide, kSide, kSide, float>& c) {
  d.lane = __builtin_amdgcn_mfma_f32_16x16x16f16(a.lane, b.lane, c.lane, 0, 0, 0);
}

template <class T>
__device__ void store_matrix_sync(T* to, const fragment<accumulator, kSide, kSide, kSide, T>& from,
                                  unsigned stride, layout_t layout) {
  const int column = detail::lane_index() % kSide;
  for (int i = 0; i < kPerLane; ++i) {
    const int row = kPerLane * (detail::lane_index() / kSide) + i;
    to[detail::offset(row, column, stride, layout == mem_col_major)] = from.lane[i];
  }
}
#endif

}  // namespace nvcuda::wmma
