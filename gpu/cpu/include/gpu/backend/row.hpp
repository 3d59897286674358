// SPDX-License-Identifier: MIT
// A lane's part of a row on a CPU, pack by pack; gpu/lanes.hpp documents each piece.
#pragma once

#include <cstdint>

#include "gpu/backend/pack.hpp"
#include "gpu/cpu/widen.hpp"
#include "gpu/detail/to_float.hpp"

namespace gpu {
namespace cpu {

inline constexpr int kFloats = Pack<float>::kWidth;

}  // namespace cpu

/// The address of the numbers: a core hides the latency of a load by itself. Missing numbers are
/// read from an array of zeros, so that loops need no branch for them.
template <int kCount, class T>
class Packed {
 public:
  [[gnu::always_inline]] explicit Packed(const T* from, bool is_there = true)
      : from_(is_there ? from : kZeros) {}

  template <int kPart>
  [[gnu::always_inline]] void to_floats(float (&to)[kPart], int first = 0) const {
    constexpr int kWhole = kPart - kPart % cpu::kFloats;
    for (int i = 0; i < kWhole; i += cpu::kFloats) {
      store_pack(to + i, cpu::load_widened(from_ + first + i));
    }
    for (int i = kWhole; i < kPart; ++i) to[i] = to_float(from_[first + i]);
  }

 private:
  static constexpr T kZeros[kCount] = {};

  const T* from_;
};

/// One chain of sums for each pack of the kCount numbers. Eight chains in all keep two units busy
/// whose multiply-add takes four cycles.
template <int kCount, int kMostChains = 8>
class DotSum {
 public:
  [[gnu::always_inline]] explicit DotSum(float start = 0) : rest_(start) {}

  [[gnu::always_inline]] void add(const float (&a)[kCount], const float (&b)[kCount]) {
    for (int p = 0; p < kPacks; ++p) {
      const int i = p * cpu::kFloats;
      Pack<float>& chain = chain_[p % kChains];
      chain = multiply_add(load_pack(a + i), load_pack(b + i), chain);
    }
    for (int i = kPacks * cpu::kFloats; i < kCount; ++i) rest_ = fmaf(a[i], b[i], rest_);
  }
  [[gnu::always_inline]] void add_scaled(const DotSum& other, float factor) {
    const Pack<float> factors(factor);
    for (int c = 0; c < kChains; ++c) chain_[c] = multiply_add(factors, other.chain_[c], chain_[c]);
    rest_ = fmaf(factor, other.rest_, rest_);
  }
  [[gnu::always_inline]] float total() const {
    if constexpr (kPacks == 0) return rest_;
    Pack<float> sum = chain_[0];
    for (int c = 1; c < kChains && c < kPacks; ++c) sum = sum + chain_[c];
    return rest_ + sum_of(sum);
  }

 private:
  static constexpr int kPacks = kCount / cpu::kFloats;
  static constexpr int kChains = kPacks < 1 ? 1 : kPacks < kMostChains ? kPacks : kMostChains;

  Pack<float> chain_[kChains] = {};
  float rest_;
};

/// One row from each of kRows stripes of kStripe adjacent rows; the last stripes of a matrix are
/// shorter. A core that runs one team after the other thus reads kRows long streams at a time. Its
/// prefetcher follows those well, but not streams that share a page, as adjacent rows do.
template <int kRows>
class TeamRows {
 public:
  static constexpr std::int64_t kStripe = 64;

  [[gnu::always_inline]] TeamRows(std::int64_t team, std::int64_t rows) {
    const std::int64_t place = team % kStripe;
    const std::int64_t begin = (team - place) * kRows;
    const std::int64_t left = teams(rows - begin);
    apart_ = left < kStripe ? left : kStripe;
    first_ = begin + place;
    end_ = place < apart_ ? rows : 0;
  }

  [[gnu::always_inline]] bool has(int i) const { return (*this)[i] < end_; }
  [[gnu::always_inline]] std::int64_t operator[](int i) const { return first_ + i * apart_; }
  static std::int64_t teams(std::int64_t rows) { return (rows + kRows - 1) / kRows; }

 private:
  std::int64_t first_;
  std::int64_t apart_;
  std::int64_t end_;
};

template <int kCount>
[[gnu::always_inline]] inline void add_scaled(float (&sum)[kCount], float factor,
                                              const float (&x)[kCount]) {
  constexpr int kWhole = kCount - kCount % cpu::kFloats;
  const Pack<float> factors(factor);
  for (int i = 0; i < kWhole; i += cpu::kFloats) {
    store_pack(sum + i, multiply_add(factors, load_pack(x + i), load_pack(sum + i)));
  }
  for (int i = kWhole; i < kCount; ++i) sum[i] = fmaf(factor, x[i], sum[i]);
}

template <int kCount>
[[gnu::always_inline]] inline void exp2_each(float (&x)[kCount]) {
  for (int i = 0; i < kCount; i += cpu::kFloats) {
    Pack<float> pack(0.0f);
    for (int k = 0; k < cpu::kFloats && i + k < kCount; ++k) pack[k] = x[i + k];
    pack = exp2f(pack);
    for (int k = 0; k < cpu::kFloats && i + k < kCount; ++k) x[i + k] = pack[k];
  }
}

template <int kCount>
[[gnu::always_inline]] inline void load_nibbles(const std::uint8_t* from, float (&low)[kCount],
                                                float (&high)[kCount]) {
  static_assert(kCount % cpu::kFloats == 0, "whole packs");
  for (int i = 0; i < kCount; i += cpu::kFloats) {
    const cpu::Words bytes = cpu::load_bytes(from + i);
    store_pack(low + i, cpu::to_floats(bytes & 15));
    store_pack(high + i, cpu::to_floats(bytes >> 4));
  }
}

}  // namespace gpu
