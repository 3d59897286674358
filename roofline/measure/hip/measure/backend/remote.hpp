// SPDX-License-Identifier: MIT
// Memory that an AMD GPU reaches only over a link: the host's, and another GPU's.
#pragma once

#include <hip/hip_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace roofline::measure {

/// Levels beyond the device's own memory: the host's, pinned, and that of the first other GPU whose
/// memory kernels may read.
inline constexpr std::string_view kHostLevel = "remote";
inline constexpr std::string_view kPeerLevel = "peer";
inline constexpr std::array kFarLevels{kHostLevel, kPeerLevel};

namespace detail {

inline std::shared_ptr<std::uint64_t> host_words(std::size_t count) {
  void* words = nullptr;
  if (hipHostMalloc(&words, count * sizeof(std::uint64_t), hipHostMallocDefault) != hipSuccess) {
    throw std::runtime_error("the host has no memory to pin");
  }
  return {static_cast<std::uint64_t*>(words),
          [](std::uint64_t* memory) { (void)hipHostFree(memory); }};
}

/// Whether kernels of device `own` may read the memory of device `peer` from now on.
inline bool can_read(int own, int peer) {
  int may_read = 0;
  if (hipDeviceCanAccessPeer(&may_read, own, peer) != hipSuccess || may_read == 0) return false;
  const auto enabled = hipDeviceEnablePeerAccess(peer, 0);
  (void)hipGetLastError();  // enabled already is no error of the next call
  return enabled == hipSuccess || enabled == hipErrorPeerAccessAlreadyEnabled;
}

inline std::shared_ptr<std::uint64_t> peer_words(std::size_t count) {
  int own = 0;
  int devices = 0;
  if (hipGetDevice(&own) != hipSuccess || hipGetDeviceCount(&devices) != hipSuccess ||
      devices < 2) {
    throw std::runtime_error("there is one GPU only");
  }
  for (int peer = 0; peer < devices; ++peer) {
    if (peer == own || !can_read(own, peer)) continue;
    void* words = nullptr;
    const bool is_there = hipSetDevice(peer) == hipSuccess &&
                          hipMalloc(&words, count * sizeof(std::uint64_t)) == hipSuccess;
    if (hipSetDevice(own) != hipSuccess || !is_there) {
      throw std::runtime_error("the other GPU has no memory left");
    }
    return {static_cast<std::uint64_t*>(words),
            [](std::uint64_t* memory) { (void)hipFree(memory); }};
  }
  throw std::runtime_error("kernels of this GPU may read no other GPU's memory (peer access)");
}

}  // namespace detail

/// Words of memory of a far level that kernels of the current device read over the link. Throws
/// std::runtime_error, with the reason, where there is none.
inline std::shared_ptr<std::uint64_t> far_words(std::string_view level, std::size_t count) {
  return level == kHostLevel ? detail::host_words(count) : detail::peer_words(count);
}

}  // namespace roofline::measure
