// SPDX-License-Identifier: MIT
// A kernel's thread coordinates: threadIdx, blockIdx, blockDim, gridDim.
#pragma once

/// Extent of a grid or a block, as CUDA defines it.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_extent = 1, unsigned y_extent = 1, unsigned z_extent = 1)
      : x(x_extent), y(y_extent), z(z_extent) {}
};

namespace gpu::cpu {

/// One coordinate; reads as an int. It is signed, unlike CUDA's, because a signed sum cannot wrap
/// and so `blockIdx.x * blockDim.x + threadIdx.x` remains a vectorisable index. It stores an
/// enumeration, because no kernel can store through a pointer to that type: the compiler then knows
/// that writing to an int array leaves threadIdx alone, and keeps it in a register.
struct Coordinate {
  enum Value : int {};
  Value value;

  constexpr operator int() const { return static_cast<int>(value); }
  constexpr Coordinate& operator=(int other) {
    value = static_cast<Value>(other);
    return *this;
  }
  constexpr Coordinate& operator+=(int other) { return *this = *this + other; }
  constexpr Coordinate& operator-=(int other) { return *this = *this - other; }
  constexpr Coordinate& operator*=(int other) { return *this = *this * other; }
  constexpr Coordinate& operator/=(int other) { return *this = *this / other; }
  constexpr Coordinate& operator%=(int other) { return *this = *this % other; }
  constexpr Coordinate& operator<<=(int other) { return *this = *this << other; }
  constexpr Coordinate& operator>>=(int other) { return *this = *this >> other; }
  constexpr Coordinate& operator++() { return *this += 1; }
  constexpr Coordinate& operator--() { return *this -= 1; }
  constexpr Coordinate operator++(int) {
    const Coordinate before = *this;
    ++*this;
    return before;
  }
};

struct Index3 {
  Coordinate x, y, z;
};

constexpr Index3 index3(int x, int y, int z) {
  Index3 index{};
  index.x = x;
  index.y = y;
  index.z = z;
  return index;
}

/// First coordinate that the current loop over threads does not reach: blockDim, until a barrier
/// makes the loop belong to one thread.
inline constinit thread_local Index3 thread_limit{};

}  // namespace gpu::cpu

// threadIdx itself is the variable of the loop over threads (see launch.hpp).
inline constinit thread_local gpu::cpu::Index3 threadIdx{};
inline constinit thread_local gpu::cpu::Index3 blockIdx{};
inline constinit thread_local gpu::cpu::Index3 blockDim{};
inline constinit thread_local gpu::cpu::Index3 gridDim{};
/// Threads per warp of this launch: 32 or 64.
inline constinit thread_local int warpSize = 32;
