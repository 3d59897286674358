// SPDX-License-Identifier: MIT
// A view of memory that only kernels may read and write.
#pragma once

#include <cstddef>
#include <type_traits>

namespace gpu {

/// A non-owning view of device memory: pass data() to a kernel, or the view to a copy. It has no
/// operator[]: host code cannot read device memory.
template <class T>
class DeviceSpan {
 public:
  using element_type = T;

  constexpr DeviceSpan() noexcept = default;
  constexpr DeviceSpan(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  /// DeviceSpan<T> converts to DeviceSpan<const T>.
  template <class U>
  requires(std::is_same_v<const U, T> &&
           !std::is_same_v<U, T>) constexpr DeviceSpan(DeviceSpan<U> other) noexcept
      : data_(other.data()), size_(other.size()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  constexpr bool empty() const noexcept { return size_ == 0; }

  /// The `count` elements starting at `offset`; the caller ensures offset + count <= size().
  constexpr DeviceSpan subspan(std::size_t offset, std::size_t count) const noexcept {
    return {data_ + offset, count};
  }
  /// All elements from `offset` on.
  constexpr DeviceSpan subspan(std::size_t offset) const noexcept {
    return {data_ + offset, size_ - offset};
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gpu
