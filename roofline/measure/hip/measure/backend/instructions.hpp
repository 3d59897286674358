// SPDX-License-Identifier: MIT
// Packed and matrix (MFMA) instructions of AMD GPUs since gfx90a.
#pragma once

#include <hip/hip_fp16.h>

#include <string>

#include "rates/instruction_list.hpp"
#include "roofline/machine.hpp"

namespace roofline::measure {

inline bool has_mfma(const std::string& architecture) {
  return architecture.starts_with("gfx90a") || architecture.starts_with("gfx94") ||
         architecture.starts_with("gfx95");
}

/// Two FMAs on packed halves (v_pk_fma_f16): x <- a x + b.
struct PackedHalf {
  static constexpr Precision kPrecision = Precision::kFp16;
  static constexpr Unit kUnit = Unit::kVector;
  static constexpr const char* kNote = "v_pk_fma_f16, two multiply-adds an instruction and thread";
  static constexpr double kOperationsPerThread = 4;
  struct State {
    __half2 x;
  };
  struct Operands {
    __half2 a, b;
  };
  static __device__ Operands operands(std::size_t thread, bool exact) {
    const float noise = static_cast<float>(random_bits(thread) >> 8) * 0x1.0p-24f;
    const float a = exact ? -1.0f : -1.0f + 0.02f * noise;
    return {__float2half2_rn(a), __float2half2_rn(exact ? 1.25f : 0.5f + noise)};
  }
  static __device__ State start(std::size_t thread, int chain, bool exact) {
    const float noise = static_cast<float>(random_bits(thread * 64 + chain) >> 8) * 0x1.0p-24f;
    return {__float2half2_rn(exact ? 0.5f : 0.5f + noise)};
  }
  static __device__ void step(State& state, const Operands& operands) {
    state.x = __hfma2(state.x, operands.a, operands.b);
  }
  static __device__ double sum(const State& state) {
    return static_cast<double>(__low2float(state.x)) + static_cast<double>(__high2float(state.x));
  }
  static double expected(int steps) { return 2 * (steps % 2 == 0 ? 0.5 : 0.75); }
  static bool available(const std::string&) { return true; }
};

/// A wavefront-wide matrix instruction.
template <class Kind>
struct WaveMfma {
  static constexpr Precision kPrecision = Kind::kPrecision;
  static constexpr Unit kUnit = Unit::kMatrix;
  static constexpr const char* kNote = Kind::kNote;
  static constexpr double kOperationsPerThread =
      2.0 * Kind::kSide * Kind::kSide * Kind::kDepth / 64;
  using Sums = typename Kind::Sums;
  struct State {
    Sums c;
  };
  struct Operands {
    typename Kind::Operand a, b;
  };
  static __device__ Operands operands(std::size_t thread, bool exact) {
    Operands result;
    for (int i = 0; i < Kind::kOperandSize; ++i) {
      const float noise = static_cast<float>(random_bits(thread * 16 + i)) * 0x1.0p-31f - 1;
      result.a[i] = Kind::element(exact ? 1.0f : noise);
      result.b[i] = Kind::element(exact ? 1.0f : -noise);
    }
    return result;
  }
  static __device__ State start(std::size_t, int, bool) { return {Sums{}}; }
  static __device__ void step(State& state, const Operands& operands) {
    state.c = Kind::multiply_add(operands.a, operands.b, state.c);
  }
  static __device__ double sum(const State& state) {
    double total = 0;
    for (int i = 0; i < Kind::kSums; ++i) total += static_cast<double>(state.c[i]);
    return total;
  }
  static double expected(int steps) {
    return static_cast<double>(Kind::kSums) * Kind::kDepth * steps;
  }
  static bool available(const std::string& architecture) { return has_mfma(architecture); }
};

struct Fp16Mfma {
  static constexpr Precision kPrecision = Precision::kFp16;
  static constexpr const char* kNote = "v_mfma_f32_32x32x8f16";
  static constexpr int kSide = 32, kDepth = 8, kSums = 16, kOperandSize = 4;
  typedef float Sums __attribute__((ext_vector_type(16)));
  typedef _Float16 Operand __attribute__((ext_vector_type(4)));
  static __device__ _Float16 element(float value) { return static_cast<_Float16>(value); }
  static __device__ Sums multiply_add(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
  }
};

struct Bf16Mfma {
  static constexpr Precision kPrecision = Precision::kBf16;
  static constexpr const char* kNote = "v_mfma_f32_32x32x8bf16_1k";
  static constexpr int kSide = 32, kDepth = 8, kSums = 16, kOperandSize = 4;
  typedef float Sums __attribute__((ext_vector_type(16)));
  typedef short Operand __attribute__((ext_vector_type(4)));
  // The upper half of an FP32 number is that number rounded towards zero to BF16.
  static __device__ short element(float value) {
    return static_cast<short>(__float_as_uint(value) >> 16);
  }
  static __device__ Sums multiply_add(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
  }
};

using Instructions = InstructionList<PackedHalf, WaveMfma<Fp16Mfma>, WaveMfma<Bf16Mfma>>;

}  // namespace roofline::measure
