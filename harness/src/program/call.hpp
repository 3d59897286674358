// SPDX-License-Identifier: MIT
// The arguments of one call of an entry, held on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/device.hpp"
#include "harness/entry.hpp"

namespace harness {

/// One argument in host memory. Of a buffer, the entry sees only the `count` elements from `first`
/// on; the rest are guard zones.
struct CallArgument {
  std::uint64_t bits = 0;              ///< a scalar's bits
  std::span<const std::byte> initial;  ///< a buffer's content with guard zones
  std::span<std::byte> result;  ///< destination of the buffer after the call, of the same length
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Arguments on the device, bound to an entry.
class Call {
 public:
  /// Allocates, and uploads; or copies on the device from `like`, a call with the same contents
  /// that has not been invoked. @throws std::invalid_argument when the arguments do not fit the
  /// entry.
  Call(const LabEntry& entry, std::vector<CallArgument> arguments, Call* like = nullptr);

  /// Restores what the entry may have changed.
  void reset();
  /// Calls the entry once, without waiting.
  void invoke();
  /// Calls the entry once and returns its kernels' counts; counts arithmetic only for counting
  /// numbers.
  /// @throws std::invalid_argument if kernels are not checked.
  CountedWork count();
  /// Calls the entry once on a virtual GPU and returns its profile (Device::profiled()).
  /// @throws std::invalid_argument if kernels are not checked.
  std::string profile(const std::string& geometry, int registers_per_thread);
  /// Copies every buffer, guard zones included, to its `result`.
  void download();
  /// The bytes of single elements of buffer `argument`, concatenated.
  /// @throws std::out_of_range if there is no such element.
  std::string peek(std::size_t argument, std::span<const std::size_t> elements) const;

 private:
  using Memories = std::vector<std::unique_ptr<DeviceMemory>>;

  bool is_on_host() const { return entry_->device->backend() == "cpu"; }
  /// Copies of the writable buffers, created once for all calls with the same contents, because a
  /// copy from the host takes a hundred times as long as the timed kernel.
  Memories& originals();

  const LabEntry* entry_;
  std::vector<CallArgument> arguments_;
  Memories memory_;
  std::shared_ptr<Memories> originals_;
  bool is_invoked_ = false;
  std::vector<BoundArgument> bound_;
};

}  // namespace harness
