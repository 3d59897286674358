// SPDX-License-Identifier: MIT
// nvcuda::wmma without a matrix unit: correct, and slow. The first lane of a warp holds the whole
// tile and does all the work; the others are idle. Checked kernels have their own header.
#pragma once

#include <cstddef>

#include "gpu/detail/wmma_names.hpp"
#include "gpu/kernel.hpp"

namespace nvcuda::wmma {

/// A 16 x 16 tile. Which lane holds which element is unspecified, as on a GPU.
template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  static_assert(m == kSide && n == kSide && k == kSide, "only 16 x 16 x 16 is there");
  T tile[kSide * kSide];
};

namespace detail {

inline bool is_first_lane() {
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return thread % warpSize == 0;
}

template <class Layout>
inline constexpr bool kByColumn = false;
template <>
inline constexpr bool kByColumn<col_major> = true;

inline std::size_t offset(int row, int column, unsigned stride, bool by_column) {
  const auto major = static_cast<std::size_t>(by_column ? column : row);
  const auto minor = static_cast<std::size_t>(by_column ? row : column);
  return major * stride + minor;
}

}  // namespace detail

template <class Use, class T, class Layout>
void fill_fragment(fragment<Use, kSide, kSide, kSide, T, Layout>& to, T value) {
  if (!detail::is_first_lane()) return;
  for (T& element : to.tile) element = value;
}

template <class Use, class T, class Layout>
void load_matrix_sync(fragment<Use, kSide, kSide, kSide, T, Layout>& to, const T* from,
                      unsigned stride) {
  if (!detail::is_first_lane()) return;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      to.tile[row * kSide + column] =
          from[detail::offset(row, column, stride, detail::kByColumn<Layout>)];
    }
  }
}

template <class T, class LayoutA, class LayoutB>
void mma_sync(fragment<accumulator, kSide, kSide, kSide, float>& d,
              const fragment<matrix_a, kSide, kSide, kSide, T, LayoutA>& a,
              const fragment<matrix_b, kSide, kSide, kSide, T, LayoutB>& b,
              const fragment<accumulator, kSide, kSide, kSide, float>& c) {
  if (!detail::is_first_lane()) return;
  for (int row = 0; row < kSide; ++row) {
    float sums[kSide];
    for (int column = 0; column < kSide; ++column) sums[column] = c.tile[row * kSide + column];
    for (int depth = 0; depth < kSide; ++depth) {
      const float left = static_cast<float>(a.tile[row * kSide + depth]);
      for (int column = 0; column < kSide; ++column) {
        sums[column] += left * static_cast<float>(b.tile[depth * kSide + column]);
      }
    }
    for (int column = 0; column < kSide; ++column) d.tile[row * kSide + column] = sums[column];
  }
}

template <class T>
void store_matrix_sync(T* to, const fragment<accumulator, kSide, kSide, kSide, T>& from,
                       unsigned stride, layout_t layout) {
  if (!detail::is_first_lane()) return;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      to[detail::offset(row, column, stride, layout == mem_col_major)] =
          from.tile[row * kSide + column];
    }
  }
}

}  // namespace nvcuda::wmma
