// SPDX-License-Identifier: MIT
// Memory that an AMD GPU reaches only over the bus.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace roofline::measure {

/// Words of the host's memory that kernels read over the bus; null where the host has none to pin.
inline std::shared_ptr<std::uint64_t> remote_words(std::size_t count) {
  void* words = nullptr;
  if (hipHostMalloc(&words, count * sizeof(std::uint64_t), hipHostMallocDefault) != hipSuccess)
    return nullptr;
  return {static_cast<std::uint64_t*>(words),
          [](std::uint64_t* memory) { (void)hipHostFree(memory); }};
}

}  // namespace roofline::measure
