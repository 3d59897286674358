// SPDX-License-Identifier: MIT
// The load of a pointer chase on AMD GPUs.
#pragma once

#include <cstdint>

#include "gpu/kernel.hpp"

namespace roofline::measure {

/// Loads from an address of global memory. From a plain number the compiler would make a generic
/// load, which first determines what memory the address belongs to.
__device__ inline std::uint64_t follow(std::uint64_t address) {
  using Global = const __attribute__((address_space(1))) std::uint64_t;
  return *reinterpret_cast<Global*>(address);
}

}  // namespace roofline::measure
