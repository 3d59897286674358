// SPDX-License-Identifier: MIT
// Memory that an NVIDIA GPU reaches only over the bus.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace roofline::measure {

/// Words of the host's memory that kernels read over the bus; null where the host has none to pin.
inline std::shared_ptr<std::uint64_t> remote_words(std::size_t count) {
  void* words = nullptr;
  if (cudaMallocHost(&words, count * sizeof(std::uint64_t)) != cudaSuccess) return nullptr;
  return {static_cast<std::uint64_t*>(words),
          [](std::uint64_t* memory) { (void)cudaFreeHost(memory); }};
}

}  // namespace roofline::measure
