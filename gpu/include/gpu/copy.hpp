// SPDX-License-Identifier: MIT
// Copies between host and device memory, checked for size.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/buffer.hpp"
#include "gpu/stream.hpp"

namespace gpu {
namespace detail {
enum class CopyKind { kHostToDevice, kDeviceToHost, kDeviceToDevice };
/// Queues a copy of `bytes` in `stream`; no bytes is fine.
void copy_async(void* to, const void* from, std::size_t bytes, CopyKind kind, StreamRef stream,
                SourceLocation where);
/// Queues setting `bytes` bytes to `value`.
void fill_async(void* to, unsigned char value, std::size_t bytes, StreamRef stream,
                SourceLocation where);
}  // namespace detail

/// A DeviceBuffer or DeviceSpan.
template <class M>
concept DeviceMemory = requires {
  typename std::remove_cvref_t<M>::element_type;
}
&&std::convertible_to<M&, DeviceSpan<const typename std::remove_cvref_t<M>::element_type>>;
/// Contiguous host memory: std::span, std::vector, std::array.
template <class M>
concept HostMemory = requires(M& memory) {
  std::span(memory);
};

/// The type of one element, without const.
template <class M>
using ElementOf = std::remove_const_t<typename std::remove_cvref_t<M>::element_type>;
/// The same for host memory.
template <class M>
using HostElementOf =
    typename decltype(std::span(std::declval<std::remove_reference_t<M>&>()))::value_type;

/// Copies all of `from` (host) to `to` (device), same number of elements, and returns when `from`
/// may be changed again.
template <DeviceMemory To, HostMemory From>
requires std::same_as<ElementOf<To>, HostElementOf<From>>
void copy_to_device(To&& to, const From& from, SourceLocation where = SourceLocation::current()) {
  const DeviceSpan<ElementOf<To>> target = to;
  detail::require_same_size("copy_to_device", target.size(), std::size(from), where);
  detail::copy_async(target.data(), std::data(from), target.size_bytes(),
                     detail::CopyKind::kHostToDevice, {}, where);
  StreamRef().synchronize(where);
}

/// The same, queued in `stream`: `from` must not change until the stream has been synchronised.
template <DeviceMemory To, HostMemory From>
requires std::same_as<ElementOf<To>, HostElementOf<From>>
void copy_to_device(To&& to, const From& from, StreamRef stream,
                    SourceLocation where = SourceLocation::current()) {
  const DeviceSpan<ElementOf<To>> target = to;
  detail::require_same_size("copy_to_device", target.size(), std::size(from), where);
  detail::copy_async(target.data(), std::data(from), target.size_bytes(),
                     detail::CopyKind::kHostToDevice, stream, where);
}

/// Copies all of `from` (device) to `to` (host), same number of elements, after the work queued so
/// far in the default stream. Throws Error, with the kernel's name, if that work had a fault.
template <HostMemory To, DeviceMemory From>
requires std::same_as<HostElementOf<To>, ElementOf<From>>
void copy_to_host(To&& to, const From& from, SourceLocation where = SourceLocation::current()) {
  const DeviceSpan<const ElementOf<From>> source = from;
  detail::require_same_size("copy_to_host", std::size(to), source.size(), where);
  detail::copy_async(std::data(to), source.data(), source.size_bytes(),
                     detail::CopyKind::kDeviceToHost, {}, where);
  StreamRef().synchronize(where);
}

/// The same, queued in `stream`: `to` is complete once the stream has been synchronised.
template <HostMemory To, DeviceMemory From>
requires std::same_as<HostElementOf<To>, ElementOf<From>>
void copy_to_host(To&& to, const From& from, StreamRef stream,
                  SourceLocation where = SourceLocation::current()) {
  const DeviceSpan<const ElementOf<From>> source = from;
  detail::require_same_size("copy_to_host", std::size(to), source.size(), where);
  detail::copy_async(std::data(to), source.data(), source.size_bytes(),
                     detail::CopyKind::kDeviceToHost, stream, where);
}

/// Queues a copy from device to device; both have the same number of elements and do not overlap.
template <DeviceMemory To, DeviceMemory From>
requires std::same_as<ElementOf<To>, ElementOf<From>>
void copy_on_device(To&& to, const From& from, StreamRef stream = {},
                    SourceLocation where = SourceLocation::current()) {
  const DeviceSpan<ElementOf<To>> target = to;
  const DeviceSpan<const ElementOf<From>> source = from;
  detail::require_same_size("copy_on_device", target.size(), source.size(), where);
  detail::copy_async(target.data(), source.data(), source.size_bytes(),
                     detail::CopyKind::kDeviceToDevice, stream, where);
}

/// Queues setting every byte of `memory` to `value`.
template <DeviceMemory To>
void fill_bytes(To&& memory, unsigned char value, StreamRef stream = {},
                SourceLocation where = SourceLocation::current()) {
  const DeviceSpan<ElementOf<To>> target = memory;
  detail::fill_async(target.data(), value, target.size_bytes(), stream, where);
}

/// A new device buffer with the elements of `from`.
template <HostMemory From>
DeviceBuffer<HostElementOf<From>> to_device(const From& from,
                                            SourceLocation where = SourceLocation::current()) {
  DeviceBuffer<HostElementOf<From>> buffer(std::size(from), where);
  copy_to_device(buffer, from, where);
  return buffer;
}

/// The elements of `from` as a new host vector.
template <DeviceMemory From>
std::vector<ElementOf<From>> to_host(const From& from,
                                     SourceLocation where = SourceLocation::current()) {
  std::vector<ElementOf<From>> values(from.size());
  copy_to_host(values, from, where);
  return values;
}

}  // namespace gpu
