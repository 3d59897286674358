// SPDX-License-Identifier: MIT
// Memory on the device, released by its owner's destructor.
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "gpu/error.hpp"
#include "gpu/span.hpp"

namespace gpu {
namespace detail {
/// Bytes of device memory aligned to at least 256; nullptr for 0. Throws Error when there is none.
void* allocate(std::size_t bytes, SourceLocation where);
/// Releases memory of allocate(); reports nothing if the device has failed.
void release(void* memory) noexcept;
}  // namespace detail

/// Owns `size()` uninitialised elements of device memory; move-only.
template <class T>
class DeviceBuffer {
  // Not is_trivially_copyable: HIP's float4 copies through a constructor of its own.
  static_assert(std::is_trivially_destructible_v<T> && !std::is_polymorphic_v<T>,
                "device memory holds plain values, copied as bytes");

 public:
  using element_type = T;

  DeviceBuffer() noexcept = default;
  /// Allocates `count` elements (0 is fine). Throws Error if the device lacks the memory.
  explicit DeviceBuffer(std::size_t count, SourceLocation where = SourceLocation::current())
      : span_(static_cast<T*>(detail::allocate(bytes_of(count, where), where)), count) {}
  ~DeviceBuffer() { detail::release(span_.data()); }
  DeviceBuffer(DeviceBuffer&& other) noexcept : span_(std::exchange(other.span_, {})) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(span_, other.span_);
    return *this;
  }

  T* data() noexcept { return span_.data(); }
  const T* data() const noexcept { return span_.data(); }
  std::size_t size() const noexcept { return span_.size(); }
  std::size_t size_bytes() const noexcept { return span_.size_bytes(); }
  bool empty() const noexcept { return span_.empty(); }
  DeviceSpan<T> span() noexcept { return span_; }
  DeviceSpan<const T> span() const noexcept { return span_; }
  operator DeviceSpan<T>() noexcept { return span_; }
  operator DeviceSpan<const T>() const noexcept { return span_; }

 private:
  static std::size_t bytes_of(std::size_t count, SourceLocation where) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
      detail::throw_usage_error("DeviceBuffer(count)", "the size in bytes overflows", where);
    }
    return count * sizeof(T);
  }

  DeviceSpan<T> span_;
};

}  // namespace gpu
