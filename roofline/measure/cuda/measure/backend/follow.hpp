// SPDX-License-Identifier: MIT
// The load of a pointer chase on NVIDIA GPUs.
#pragma once

#include <cstdint>

#include "gpu/kernel.hpp"

namespace roofline::measure {

/// Loads from an address of global memory. From a plain number the compiler would make a generic
/// load, which first determines what memory the address belongs to.
__device__ inline std::uint64_t follow(std::uint64_t address) {
  std::uint64_t next;
  asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(next) : "l"(address) : "memory");
  return next;
}

}  // namespace roofline::measure
