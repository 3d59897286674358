// SPDX-License-Identifier: MIT
// Packs of floats from narrower numbers in memory, using the instructions that convert as they
// load.
#pragma once

#include <cstdint>

#include "gpu/backend/pack.hpp"
#include "gpu/detail/to_float.hpp"

#if defined(__AVX2__) && defined(__F16C__)
#include <immintrin.h>
#endif

namespace gpu::cpu {

/// As many adjacent numbers, starting at `from`, as a pack holds, converted to floats.
template <class T>
[[gnu::always_inline]] inline Pack<float> load_widened(const T* from) {
  Pack<float> pack;
  for (int i = 0; i < Pack<float>::kWidth; ++i) pack[i] = to_float(from[i]);
  return pack;
}

#if defined(__AVX512F__)
// The masked forms start from zeros. GCC 12 warns about the unmasked ones, which start from a
// register that their own header leaves uninitialised (GCC bug 105593).
inline constexpr __mmask16 kAllLanes = 0xffff;
#endif

using Words = unsigned __attribute__((vector_size(kPackBytes)));

/// As many adjacent bytes, starting at `from`, as a pack has words, each in its own word.
[[gnu::always_inline]] inline Words load_bytes(const std::uint8_t* from) {
#if defined(__AVX512F__)
  return (Words)_mm512_maskz_cvtepu8_epi32(kAllLanes,
                                           _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#elif defined(__AVX2__) && defined(__F16C__)
  return (Words)_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
#else
  Words words;
  for (int i = 0; i < Pack<float>::kWidth; ++i) words[i] = from[i];
  return words;
#endif
}

/// Small whole numbers as floats.
[[gnu::always_inline]] inline Pack<float> to_floats(Words numbers) {
  typedef int Signed __attribute__((vector_size(kPackBytes)));  // has the faster instruction
  return Pack<float>::of(__builtin_convertvector((Signed)numbers, Pack<float>::Register));
}

[[gnu::always_inline]] inline Pack<float> load_widened(const float* from) {
  return load_pack(from);
}

// Compilers recognise conversions in a loop, but then load more than they convert at a time; they
// do not recognise the conversion of halves at all.
#if defined(__AVX512F__)
[[gnu::always_inline]] inline Pack<float> load_widened(const std::int8_t* from) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return Pack<float>::of(
      _mm512_maskz_cvtepi32_ps(kAllLanes, _mm512_maskz_cvtepi8_epi32(kAllLanes, bytes)));
}
[[gnu::always_inline]] inline Pack<float> load_widened(const __nv_bfloat16* from) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return Pack<float>::of(_mm512_castsi512_ps(
      _mm512_maskz_slli_epi32(kAllLanes, _mm512_maskz_cvtepu16_epi32(kAllLanes, bits), 16)));
}
[[gnu::always_inline]] inline Pack<float> load_widened(const __half* from) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return Pack<float>::of(_mm512_maskz_cvtph_ps(kAllLanes, bits));
}
#elif defined(__AVX2__) && defined(__F16C__)
[[gnu::always_inline]] inline Pack<float> load_widened(const std::int8_t* from) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return Pack<float>::of(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)));
}
[[gnu::always_inline]] inline Pack<float> load_widened(const __nv_bfloat16* from) {
  const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return Pack<float>::of(_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16)));
}
[[gnu::always_inline]] inline Pack<float> load_widened(const __half* from) {
  const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return Pack<float>::of(_mm256_cvtph_ps(bits));
}
#endif

}  // namespace gpu::cpu
