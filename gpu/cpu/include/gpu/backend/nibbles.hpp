// SPDX-License-Identifier: MIT
// Four-bit numbers as packs of floats: eight from each word, with one shift and, where the
// processor has one, a permutation of the sixteen values that four bits can encode.
#pragma once

#include <cstdint>
#include <cstring>

#include "gpu/cpu/widen.hpp"

namespace gpu {
namespace cpu {

[[gnu::always_inline]] inline Words load_words(const std::uint8_t* from) {
  Words words;
  std::memcpy(&words, from, sizeof(words));
  return words;
}

/// The value of the lowest four bits of a word: (bits - zero) * scale.
class FourBits {
 public:
#if defined(__AVX512F__)
  [[gnu::always_inline]] FourBits(__half scale, float zero)
      : values_((_mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) - zero) *
                _mm512_maskz_cvtph_ps(
                    kAllLanes, _mm256_set1_epi16(static_cast<short>(__half_as_ushort(scale))))) {}

  /// The permutation ignores the other bits.
  [[gnu::always_inline]] Pack<float> of(Words words) const {
    return Pack<float>::of(_mm512_maskz_permutexvar_ps(kAllLanes, (__m512i)words, values_));
  }

 private:
  __m512 values_;
#else
  [[gnu::always_inline]] FourBits(__half scale, float zero)
      : scale_(to_float(scale)), zero_(zero) {}

  [[gnu::always_inline]] Pack<float> of(Words words) const {
    return (to_floats(words & 15) - Pack<float>(zero_)) * Pack<float>(scale_);
  }

 private:
  float scale_;
  float zero_;
#endif
};

}  // namespace cpu

template <int kCount>
class ScaledNibbles {
 public:
  [[gnu::always_inline]] ScaledNibbles(const std::uint8_t* from, __half scale, float zero)
      : meaning_(scale, zero) {
    for (int p = 0; p < kPacks; ++p) words_[p] = cpu::load_words(from + 4 * p * kWidth);
  }

  [[gnu::always_inline]] void part(int k, float (&to)[kCount / 8]) const {
    for (int p = 0; p < kPacks; ++p) store_pack(to + p * kWidth, meaning_.of(words_[p] >> 4 * k));
  }

 private:
  static constexpr int kWidth = Pack<float>::kWidth;
  static constexpr int kPacks = kCount / 8 / kWidth;
  static_assert(kCount % (8 * kWidth) == 0, "whole packs");

  cpu::Words words_[kPacks];
  cpu::FourBits meaning_;
};

template <int kCount>
[[gnu::always_inline]] inline void load_scaled_nibbles(const std::uint8_t* from, __half scale,
                                                       float zero, float (&to)[kCount]) {
  constexpr int kWords = kCount / 8;
  constexpr int kWidth = Pack<float>::kWidth;
  static_assert(kWords % kWidth == 0, "whole packs");
  const cpu::FourBits meaning(scale, zero);
  for (int w = 0; w < kWords; w += kWidth) {
    cpu::Words words = cpu::load_words(from + 4 * w);
    for (int k = 0; k < 8; ++k, words >>= 4) store_pack(to + k * kWords + w, meaning.of(words));
  }
}

}  // namespace gpu
