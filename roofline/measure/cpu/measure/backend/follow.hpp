// SPDX-License-Identifier: MIT
// The load of a pointer chase on a CPU.
#pragma once

#include <cstdint>

namespace roofline::measure {

/// What is stored at an address.
inline std::uint64_t follow(std::uint64_t address) {
  return *reinterpret_cast<const std::uint64_t*>(address);
}

}  // namespace roofline::measure
