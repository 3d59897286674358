// SPDX-License-Identifier: MIT
// Packed and dot-product instructions of x86 processors, if this build's target has them.
#pragma once

#include <string>

#include "rates/instruction_list.hpp"
#include "roofline/machine.hpp"
#if defined(__AVX512VNNI__) || defined(__AVX512BF16__)
#include <immintrin.h>
#endif

namespace roofline::measure {

#if defined(__AVX512VNNI__)
struct Int8Dot {
  static constexpr Precision kPrecision = Precision::kInt8;
  static constexpr Unit kUnit = Unit::kVector;
  static constexpr const char* kNote = "vpdpbusd, 64 products into 16 INT32 sums";
  static constexpr double kOperationsPerThread = 128;
  struct State {
    __m512i sums;
  };
  struct Operands {
    __m512i a, b;
  };
  static Operands operands(std::size_t thread, bool exact) {
    if (exact) return {_mm512_set1_epi8(1), _mm512_set1_epi8(2)};
    alignas(64) std::uint32_t bits[32];
    for (std::size_t i = 0; i < 32; ++i) bits[i] = random_bits(thread * 32 + i);
    return {_mm512_load_si512(bits), _mm512_load_si512(bits + 16)};
  }
  static State start(std::size_t, int, bool) { return {_mm512_setzero_si512()}; }
  static void step(State& state, const Operands& operands) {
    state.sums = _mm512_dpbusd_epi32(state.sums, operands.a, operands.b);
  }
  static double sum(const State& state) {
    alignas(64) std::int32_t lanes[16];
    _mm512_store_si512(lanes, state.sums);
    double total = 0;
    for (const std::int32_t lane : lanes) total += lane;
    return total;
  }
  static double expected(int steps) { return 16.0 * 8 * steps; }
  static bool available(const std::string&) { return true; }
};
#endif

#if defined(__AVX512BF16__)
struct Bf16Dot {
  static constexpr Precision kPrecision = Precision::kBf16;
  static constexpr Unit kUnit = Unit::kVector;
  static constexpr const char* kNote = "vdpbf16ps, 32 products into 16 FP32 sums";
  static constexpr double kOperationsPerThread = 64;
  struct State {
    __m512 sums;
  };
  struct Operands {
    __m512bh a, b;
  };
  static Operands operands(std::size_t thread, bool exact) {
    alignas(64) float values[64];
    for (std::size_t i = 0; i < 64; ++i) {
      const float random = static_cast<float>(random_bits(thread * 64 + i)) * 0x1.0p-31f - 1;
      values[i] = exact ? 1.0f : random;
    }
    return {packed(values), packed(values + 32)};
  }
  static State start(std::size_t, int, bool) { return {_mm512_set1_ps(0)}; }
  static void step(State& state, const Operands& operands) {
    state.sums = _mm512_dpbf16_ps(state.sums, operands.a, operands.b);
  }
  static double sum(const State& state) {
    alignas(64) float lanes[16];
    _mm512_store_ps(lanes, state.sums);
    double total = 0;
    for (const float lane : lanes) total += lane;
    return total;
  }
  static double expected(int steps) { return 16.0 * 2 * steps; }
  static bool available(const std::string&) { return true; }

 private:
  static __m512bh packed(const float* values) {
    return _mm512_cvtne2ps_pbh(_mm512_load_ps(values + 16), _mm512_load_ps(values));
  }
};
#endif

#if defined(__AVX512VNNI__) && defined(__AVX512BF16__)
using Instructions = InstructionList<Bf16Dot, Int8Dot>;
#elif defined(__AVX512VNNI__)
using Instructions = InstructionList<Int8Dot>;
#else
using Instructions = InstructionList<>;
#endif

}  // namespace roofline::measure
