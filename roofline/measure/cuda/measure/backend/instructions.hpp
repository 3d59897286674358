// SPDX-License-Identifier: MIT
// Packed, dot-product and tensor-core instructions of NVIDIA GPUs. The tensor-core ones are the
// warp-wide mma.sync; on Hopper only warpgroup-wide instructions (wgmma) reach the full rate.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdlib>
#include <string>

#include "rates/instruction_list.hpp"
#include "roofline/machine.hpp"

namespace roofline::measure {

/// The number in "sm_90"; 0 if there is none.
inline int compute_capability(const std::string& architecture) {
  return architecture.starts_with("sm_") ? std::atoi(architecture.c_str() + 3) : 0;
}

/// Two FMAs on packed halves: x <- a x + b.
template <class Pair, class Scalar, Precision precision>
struct PackedFma {
  static constexpr Precision kPrecision = precision;
  static constexpr Unit kUnit = Unit::kVector;
  static constexpr const char* kNote = "two packed multiply-adds an instruction and thread";
  static constexpr double kOperationsPerThread = 4;
  struct State {
    Pair x;
  };
  struct Operands {
    Pair a, b;
  };
  // Exact: x alternates between 0.5 and 0.75, all of it representable.
  static __device__ Operands operands(std::size_t thread, bool exact) {
    const float noise = static_cast<float>(random_bits(thread) >> 8) * 0x1.0p-24f;
    const float a = exact ? -1.0f : -1.0f + 0.02f * noise;
    return {pair(a), pair(exact ? 1.25f : 0.5f + noise)};
  }
  static __device__ State start(std::size_t thread, int chain, bool exact) {
    const float noise = static_cast<float>(random_bits(thread * 64 + chain) >> 8) * 0x1.0p-24f;
    return {pair(exact ? 0.5f : 0.5f + noise)};
  }
  static __device__ void step(State& state, const Operands& operands) {
    state.x = __hfma2(state.x, operands.a, operands.b);
  }
  static __device__ double sum(const State& state) {
    return static_cast<double>(static_cast<float>(state.x.x)) +
           static_cast<double>(static_cast<float>(state.x.y));
  }
  static double expected(int steps) { return 2 * (steps % 2 == 0 ? 0.5 : 0.75); }
  static bool available(const std::string& architecture) {
    return compute_capability(architecture) >= (precision == Precision::kBf16 ? 80 : 60);
  }

 private:
  static __device__ Pair pair(float value) {
    Pair both;
    both.x = static_cast<Scalar>(value);
    both.y = static_cast<Scalar>(value);
    return both;
  }
};

/// Four INT8 products added to an INT32 sum.
struct Int8Dot {
  static constexpr Precision kPrecision = Precision::kInt8;
  static constexpr Unit kUnit = Unit::kVector;
  static constexpr const char* kNote = "dp4a, 4 products into an INT32 sum";
  static constexpr double kOperationsPerThread = 8;
  struct State {
    int sum;
  };
  struct Operands {
    int a, b;
  };
  static __device__ Operands operands(std::size_t thread, bool exact) {
    if (exact) return {0x01010101, 0x02020202};
    return {static_cast<int>(random_bits(2 * thread)),
            static_cast<int>(random_bits(2 * thread + 1))};
  }
  static __device__ State start(std::size_t, int, bool) { return {0}; }
  static __device__ void step(State& state, const Operands& operands) {
    state.sum = __dp4a(operands.a, operands.b, state.sum);
  }
  static __device__ double sum(const State& state) { return state.sum; }
  static double expected(int steps) { return 8.0 * steps; }
  static bool available(const std::string& architecture) {
    return compute_capability(architecture) >= 61;
  }
};

/// A warp-wide tensor-core instruction with A in four registers, B in two, C in four.
template <class Kind>
struct WarpMma {
  static constexpr Precision kPrecision = Kind::kPrecision;
  static constexpr Unit kUnit = Unit::kMatrix;
  static constexpr const char* kNote = Kind::kNote;
  static constexpr double kOperationsPerThread = 2.0 * 16 * 8 * Kind::kDepth / 32;
  struct State {
    typename Kind::Sum c[4];
  };
  struct Operands {
    std::uint32_t a[4], b[2];
  };
  static __device__ Operands operands(std::size_t thread, bool exact) {
    Operands result;
    for (int i = 0; i < 4; ++i) result.a[i] = exact ? Kind::kOnes : Kind::random(thread * 8 + i);
    for (int i = 0; i < 2; ++i)
      result.b[i] = exact ? Kind::kOnes : Kind::random(thread * 8 + 4 + i);
    return result;
  }
  static __device__ State start(std::size_t, int, bool) { return {{0, 0, 0, 0}}; }
  static __device__ void step(State& state, const Operands& operands) {
    Kind::multiply_add(state.c, operands.a, operands.b);
  }
  static __device__ double sum(const State& state) {
    return static_cast<double>(state.c[0]) + static_cast<double>(state.c[1]) +
           static_cast<double>(state.c[2]) + static_cast<double>(state.c[3]);
  }
  static double expected(int steps) { return 4.0 * Kind::kDepth * steps; }
  static bool available(const std::string& architecture) {
    return compute_capability(architecture) >= 80;
  }
};

struct Fp16Mma {
  static constexpr Precision kPrecision = Precision::kFp16;
  static constexpr const char* kNote = "mma.sync m16n8k16 with FP32 sums";
  static constexpr int kDepth = 16;
  static constexpr std::uint32_t kOnes = 0x3C003C00u;
  using Sum = float;
  // Random mantissas and signs; exponents for magnitudes between 0.5 and 2.
  static __device__ std::uint32_t random(std::size_t index) {
    return (random_bits(index) & 0x87FF87FFu) | 0x38003800u;
  }
  static __device__ void multiply_add(float* c, const std::uint32_t* a, const std::uint32_t* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct Bf16Mma {
  static constexpr Precision kPrecision = Precision::kBf16;
  static constexpr const char* kNote = "mma.sync m16n8k16 with FP32 sums";
  static constexpr int kDepth = 16;
  static constexpr std::uint32_t kOnes = 0x3F803F80u;
  using Sum = float;
  static __device__ std::uint32_t random(std::size_t index) {
    return (random_bits(index) & 0x80FF80FFu) | 0x3F003F00u;
  }
  static __device__ void multiply_add(float* c, const std::uint32_t* a, const std::uint32_t* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct Tf32Mma {
  static constexpr Precision kPrecision = Precision::kTf32;
  static constexpr const char* kNote = "mma.sync m16n8k8 with FP32 sums";
  static constexpr int kDepth = 8;
  static constexpr std::uint32_t kOnes = 0x3F800000u;
  using Sum = float;
  static __device__ std::uint32_t random(std::size_t index) {
    return (random_bits(index) & 0x80FFFFFFu) | 0x3F000000u;
  }
  static __device__ void multiply_add(float* c, const std::uint32_t* a, const std::uint32_t* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct Int8Mma {
  static constexpr Precision kPrecision = Precision::kInt8;
  static constexpr const char* kNote = "mma.sync m16n8k32 with INT32 sums";
  static constexpr int kDepth = 32;
  static constexpr std::uint32_t kOnes = 0x01010101u;
  using Sum = int;
  static __device__ std::uint32_t random(std::size_t index) { return random_bits(index); }
  static __device__ void multiply_add(int* c, const std::uint32_t* a, const std::uint32_t* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

/// FP64 on tensor cores, one element of A and B per thread.
struct Fp64Mma {
  static constexpr Precision kPrecision = Precision::kFp64;
  static constexpr Unit kUnit = Unit::kMatrix;
  static constexpr const char* kNote = "mma.sync m8n8k4";
  static constexpr double kOperationsPerThread = 2.0 * 8 * 8 * 4 / 32;
  struct State {
    double c[2];
  };
  struct Operands {
    double a, b;
  };
  static __device__ Operands operands(std::size_t thread, bool exact) {
    if (exact) return {1, 1};
    return {static_cast<double>(random_bits(2 * thread)) * 0x1.0p-31 - 1,
            static_cast<double>(random_bits(2 * thread + 1)) * 0x1.0p-31 - 1};
  }
  static __device__ State start(std::size_t, int, bool) { return {{0, 0}}; }
  static __device__ void step(State& state, const Operands& operands) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(state.c[0]), "+d"(state.c[1])
                 : "d"(operands.a), "d"(operands.b));
  }
  static __device__ double sum(const State& state) { return state.c[0] + state.c[1]; }
  static double expected(int steps) { return 2.0 * 4 * steps; }
  static bool available(const std::string& architecture) {
    return compute_capability(architecture) >= 80;
  }
};

using Instructions =
    InstructionList<PackedFma<__half2, __half, Precision::kFp16>,
                    PackedFma<__nv_bfloat162, __nv_bfloat16, Precision::kBf16>, Int8Dot, Fp64Mma,
                    WarpMma<Tf32Mma>, WarpMma<Fp16Mma>, WarpMma<Bf16Mma>, WarpMma<Int8Mma>>;

}  // namespace roofline::measure
