// SPDX-License-Identifier: MIT
// The type of a backend's list of instructions, and the bits of their operands.
#pragma once

#include <cstdint>

#include "gpu/kernel.hpp"

namespace roofline::measure {

/// Each member describes one instruction: kPrecision, kUnit, kNote, kOperationsPerThread (of one
/// step, a multiply-add counted as 2), State and Operands, operands(thread, exact), start(thread,
/// chain, exact), step(state, operands), sum(state), expected(steps): the sum of one chain on exact
/// operands, and available(architecture).
template <class... Instruction>
struct InstructionList {};

/// 32 pseudo-random bits.
__host__ __device__ inline std::uint32_t random_bits(std::uint64_t index) {
  std::uint64_t bits = index * 0x9E3779B97F4A7C15ull + 0x632BE59BD9B4E019ull;
  bits ^= bits >> 32;
  bits *= 0xD6E8FEB86659FD93ull;
  bits ^= bits >> 32;
  return static_cast<std::uint32_t>(bits);
}

}  // namespace roofline::measure
