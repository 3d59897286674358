// SPDX-License-Identifier: MIT
// gpu::tile without a matrix unit: the only lane holds whole tiles. Checked kernels have their own
// header.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu::tile {

inline constexpr int kSide = 16;
inline constexpr int kLanes = 1;

class Left {
 public:
  void load(const __nv_bfloat16* from, int stride) {
    for (int r = 0; r < kSide; ++r) {
      for (int k = 0; k < kSide; ++k) numbers_[r][k] = __bfloat162float(from[r * stride + k]);
    }
  }

 private:
  template <class T>
  friend class Sum;

  float numbers_[kSide][kSide];
};

class Right {
 public:
  void load_rows(const __nv_bfloat16* from, int stride) { load(from, stride, 1); }
  void load_columns(const __nv_bfloat16* from, int stride) { load(from, 1, stride); }

 private:
  template <class T>
  friend class Sum;

  void load(const __nv_bfloat16* from, int row_stride, int column_stride) {
    for (int k = 0; k < kSide; ++k) {
      for (int c = 0; c < kSide; ++c) {
        numbers_[k][c] = __bfloat162float(from[k * row_stride + c * column_stride]);
      }
    }
  }

  float numbers_[kSide][kSide];
};

template <class T>
class Sum {
 public:
  static constexpr int kRows = kSide;
  static constexpr int kColumns = kSide;

  void add(const Left& left, const Right& right) {
    for (int r = 0; r < kSide; ++r) {
      T sums[kSide];
      for (int c = 0; c < kSide; ++c) sums[c] = numbers_[r][c];
      for (int k = 0; k < kSide; ++k) {
        const T factor = left.numbers_[r][k];
        for (int c = 0; c < kSide; ++c) sums[c] = fmaf(factor, T(right.numbers_[k][c]), sums[c]);
      }
      for (int c = 0; c < kSide; ++c) numbers_[r][c] = sums[c];
    }
  }
  static int rows() { return kRows; }
  T& at(int r, int c) { return numbers_[r][c]; }
  static int row(int r) { return r; }
  static int column(int c) { return c; }
  Left rounded() const {
    Left left;
    for (int r = 0; r < kSide; ++r) {
      for (int c = 0; c < kSide; ++c) {
        const __nv_bfloat16 number = __float2bfloat16(static_cast<float>(numbers_[r][c]));
        left.numbers_[r][c] = __bfloat162float(number);
      }
    }
    return left;
  }

 private:
  T numbers_[kSide][kSide] = {};
};

template <class T, class Combine>
T over_row(T value, const Combine&) {
  return value;
}

inline bool any(bool value) {
  return value;
}

}  // namespace gpu::tile
