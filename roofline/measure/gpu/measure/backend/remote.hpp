// SPDX-License-Identifier: MIT
// Memory that a GPU reaches only over a link: the host's, and another GPU's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "gpu/backend/api.hpp"

namespace roofline::measure {

/// Levels beyond the device's own memory: pinned host memory, and that of the first other GPU whose
/// memory kernels may read.
inline constexpr std::string_view kHostLevel = "remote";
inline constexpr std::string_view kPeerLevel = "peer";
inline constexpr std::array kFarLevels{kHostLevel, kPeerLevel};

namespace detail {

inline std::shared_ptr<std::uint64_t> host_words(std::size_t count) {
  void* words = nullptr;
  if (gpu::api::allocate_on_host(&words, count * sizeof(std::uint64_t)) != GPU_API(Success)) {
    throw std::runtime_error("the host has no memory to pin");
  }
  return {static_cast<std::uint64_t*>(words),
          [](std::uint64_t* memory) { (void)gpu::api::free_on_host(memory); }};
}

/// Whether kernels of device `own` may read the memory of device `peer` from now on.
inline bool can_read(int own, int peer) {
  int may_read = 0;
  if (GPU_API(DeviceCanAccessPeer)(&may_read, own, peer) != GPU_API(Success) || may_read == 0)
    return false;
  const auto enabled = GPU_API(DeviceEnablePeerAccess)(peer, 0);
  // That it was enabled before must not be reported by the next call.
  (void)GPU_API(GetLastError)();
  return enabled == GPU_API(Success) || enabled == GPU_API(ErrorPeerAccessAlreadyEnabled);
}

inline std::shared_ptr<std::uint64_t> peer_words(std::size_t count) {
  int own = 0;
  int devices = 0;
  if (GPU_API(GetDevice)(&own) != GPU_API(Success) ||
      GPU_API(GetDeviceCount)(&devices) != GPU_API(Success) || devices < 2) {
    throw std::runtime_error("there is only one GPU");
  }
  for (int peer = 0; peer < devices; ++peer) {
    if (peer == own || !can_read(own, peer)) continue;
    void* words = nullptr;
    const bool is_there =
        GPU_API(SetDevice)(peer) == GPU_API(Success) &&
        GPU_API(Malloc)(&words, count * sizeof(std::uint64_t)) == GPU_API(Success);
    if (GPU_API(SetDevice)(own) != GPU_API(Success) || !is_there) {
      throw std::runtime_error("the other GPU has no memory left");
    }
    return {static_cast<std::uint64_t*>(words),
            [](std::uint64_t* memory) { (void)GPU_API(Free)(memory); }};
  }
  throw std::runtime_error("kernels on this GPU cannot read another GPU's memory (peer access)");
}

}  // namespace detail

/// Words in memory of a far level, which kernels of the current device read over the link. Throws
/// std::runtime_error, with the reason, if there is none.
inline std::shared_ptr<std::uint64_t> far_words(std::string_view level, std::size_t count) {
  return level == kHostLevel ? detail::host_words(count) : detail::peer_words(count);
}

}  // namespace roofline::measure
