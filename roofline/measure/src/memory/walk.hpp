// SPDX-License-Identifier: MIT
// How the threads of a launch share an array of lanes, and the values that arrays are filled with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/kernel.hpp"
#include "measure/backend/lanes.hpp"

namespace roofline::measure {

/// Thread t of `threads` visits lane first + k * step for k = 0 .. count-1.
struct Walk {
  std::size_t first;
  std::size_t step;
};

/// Lanes that a thread loads before it adds up the first.
constexpr int kLanesAtATime = kContiguousThreads ? 8 : 4;

__device__ inline std::size_t index_of_this_thread() {
  return static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(blockDim.x) +
         static_cast<std::size_t>(threadIdx.x);
}

__device__ inline Walk walk_of_this_thread(std::size_t count) {
  if (kContiguousThreads) return {index_of_this_thread() * count, 1};
  return {index_of_this_thread(),
          static_cast<std::size_t>(gridDim.x) * static_cast<std::size_t>(blockDim.x)};
}

/// Element `index` of the operand stream `seed`: pseudo-random in [0.5, 1.5), never the same bits
/// twice in a row, because constant operands draw less power and run faster than real ones.
__host__ __device__ inline double operand(std::size_t index, std::uint32_t seed) {
  std::uint64_t bits = static_cast<std::uint64_t>(index) * 0x9E3779B97F4A7C15ull + seed;
  bits ^= bits >> 32;
  bits *= 0xD6E8FEB86659FD93ull;
  bits ^= bits >> 32;
  bits *= 0xD6E8FEB86659FD93ull;
  bits ^= bits >> 32;
  return 0.5 + static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace roofline::measure
