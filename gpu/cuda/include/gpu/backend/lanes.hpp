// SPDX-License-Identifier: MIT
// Loads that the compiler does not move, and bits combined in one instruction.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu {

// asm volatile statements keep their order among themselves.
__device__ __forceinline__ uint4 load_now(const uint4* from) {
  uint4 value;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(from));
  return value;
}
__device__ __forceinline__ __half load_now(const __half* from) {
  unsigned short bits;
  asm volatile("ld.global.nc.u16 %0, [%1];" : "=h"(bits) : "l"(from));
  return __ushort_as_half(bits);
}
__device__ __forceinline__ uint4 load_once_now(const uint4* from) {
  uint4 value;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(from));
  return value;
}

/// One LOP3: on its own the compiler emits two, because only one operand can be a constant.
__device__ __forceinline__ unsigned and_or(unsigned word, unsigned mask, unsigned bits) {
  constexpr int kAndOr = 0xea;  // the table of (a & b) | c
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(word), "r"(mask), "r"(bits), "n"(kAndOr));
  return result;
}

/// One instruction: exp2f() takes three more to get results below 2^-126 right.
__device__ __forceinline__ float exp2_flushed(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

}  // namespace gpu
