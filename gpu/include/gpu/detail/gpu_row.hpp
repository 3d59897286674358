// SPDX-License-Identifier: MIT
// A lane's part of a row on a GPU, and in checked kernels; gpu/lanes.hpp documents each piece.
#pragma once

#include <cstdint>

#include "gpu/detail/to_float.hpp"
#include "gpu/kernel.hpp"

namespace gpu {
namespace detail {

// Unpacks one 32-bit word. Where converting instructions are slow, bits are moved into place
// instead.
__device__ __forceinline__ void unpack(unsigned word, const float*, float* to) {
  to[0] = __uint_as_float(word);
}
__device__ __forceinline__ void unpack(unsigned word, const __half*, float* to) {
  const float2 pair = __half22float2(half2_of(word));
  to[0] = pair.x;
  to[1] = pair.y;
}
__device__ __forceinline__ void unpack(unsigned word, const __nv_bfloat16*, float* to) {
  to[0] = __uint_as_float(word << 16);
  to[1] = __uint_as_float(word & 0xffff0000u);
}
__device__ __forceinline__ void unpack(unsigned word, const std::int8_t*, float* to) {
  // A byte in the low bits of 2^23 is 2^23 + byte; flipping its sign bit first adds 128.
  const unsigned biased = word ^ 0x80808080u;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    to[i] = __uint_as_float(__byte_perm(biased, 0x4b000000u, 0x7440u + i)) - 8388736.0f;
  }
}

}  // namespace detail

/// Kept as loaded, 16 bytes at a time, so that many loads can be in flight in few registers.
template <int kCount, class T>
class Packed {
 public:
  __device__ __forceinline__ explicit Packed(const T* from, bool is_there = true) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      words_[i] = is_there ? reinterpret_cast<const uint4*>(from)[i] : uint4{0, 0, 0, 0};
    }
  }

  /// Converts all of them: a lane's part is small.
  __device__ __forceinline__ void to_floats(float (&to)[kCount], int = 0) const {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      float* part = to + i * 4 * kPerWord;
      const T* kind = nullptr;
      detail::unpack(words_[i].x, kind, part);
      detail::unpack(words_[i].y, kind, part + kPerWord);
      detail::unpack(words_[i].z, kind, part + 2 * kPerWord);
      detail::unpack(words_[i].w, kind, part + 3 * kPerWord);
    }
  }

 private:
  static constexpr int kPerWord = 4 / static_cast<int>(sizeof(T));
  static constexpr int kLoads = kCount / (4 * kPerWord);
  static_assert(kCount % (4 * kPerWord) == 0, "whole loads of 16 bytes");

  uint4 words_[kLoads];
};

template <int kCount, int kMostChains = 1>
class DotSum {
 public:
  __device__ __forceinline__ explicit DotSum(float start = 0) : sum_(start) {}

  __device__ __forceinline__ void add(const float (&a)[kCount], const float (&b)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) sum_ = fmaf(a[i], b[i], sum_);
  }
  __device__ __forceinline__ void add_scaled(const DotSum& other, float factor) {
    sum_ = fmaf(factor, other.sum_, sum_);
  }
  __device__ __forceinline__ float total() const {
    return sum_;
  }

 private:
  float sum_;
};

/// Adjacent rows.
template <int kRows>
class TeamRows {
 public:
  __device__ __forceinline__ TeamRows(std::int64_t team, std::int64_t rows)
      : first_(team * kRows), rows_(rows) {}

  __device__ __forceinline__ bool has(int i) const { return first_ + i < rows_; }
  __device__ __forceinline__ std::int64_t operator[](int i) const { return first_ + i; }
  static std::int64_t teams(std::int64_t rows) { return (rows + kRows - 1) / kRows; }

 private:
  std::int64_t first_;
  std::int64_t rows_;
};

template <int kCount>
__device__ __forceinline__ void add_scaled(float (&sum)[kCount], float factor,
                                           const float (&x)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) sum[i] = fmaf(factor, x[i], sum[i]);
}

template <int kCount>
__device__ __forceinline__ void exp2_each(float (&x)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) x[i] = exp2_flushed(x[i]);
}

template <int kCount>
__device__ __forceinline__ void load_nibbles(const std::uint8_t* from, float (&low)[kCount],
                                             float (&high)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    low[i] = static_cast<float>(from[i] & 15);
    high[i] = static_cast<float>(from[i] >> 4);
  }
}

}  // namespace gpu
