// SPDX-License-Identifier: MIT
// A small, fast generator of random bits that gives the same bits on every machine.
#pragma once

#include <cstdint>

namespace base {

/// Advances `state` and returns the next 64 bits (SplitMix64: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", 2014).
inline std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace base
