// SPDX-License-Identifier: MIT
// The observer of launches: checked kernels hook in here, and fast kernels have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gpu/copy.hpp"
#include "gpu/cpu/runtime.hpp"

namespace gpu::cpu {

/// Is told everything that memory checks need to know. While there is an observer, all blocks run
/// one after the other on the calling thread, so that its findings are reproducible.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Bytes to leave free on both sides of each device buffer.
  virtual std::size_t guard_bytes() const = 0;
  virtual void allocated(void* memory, std::size_t bytes, SourceLocation where) = 0;
  virtual void released(void* memory) = 0;
  /// Makes device memory accessible until a matching close; calls nest. On a GPU, host code never
  /// has access.
  virtual void open_device_memory() = 0;
  virtual void close_device_memory() = 0;
  /// The host is about to copy. Throws gpu::Error if it must not.
  virtual void copies(detail::CopyKind kind, std::size_t bytes) = 0;
  /// The host is about to set a __constant__ or __device__ variable.
  virtual void sets_constant(const void* variable, std::size_t bytes) = 0;

  /// A launch has become part of a graph; or a graph is about to make it again.
  virtual void launch_recorded() = 0;
  virtual void launch_replayed() = 0;

  /// Lanes of a warp, regardless of what a launch requests; 0 if launches decide.
  virtual int warp_width() const = 0;

  virtual void launch_begins(const KernelLaunch& launch, void* shared,
                             std::size_t shared_bytes) = 0;
  /// The blocks of a launch to run next, of `blocks` in all; none when it is done.
  virtual std::optional<BlockRange> next_blocks(std::int64_t blocks) = 0;
  /// Kernel code starts or stops running on this operating system thread.
  virtual void enter_kernel_code() = 0;
  virtual void leave_kernel_code() = 0;
  virtual void block_begins() = 0;
  /// All threads of the block have met.
  virtual void block_met() = 0;
  /// All live lanes of warp `number` have met.
  virtual void warp_met(int number) = 0;
  /// Throws gpu::Error if the launch did something undefined.
  virtual void launch_ends() = 0;
};

/// The observer, or nullptr.
Observer* observer() noexcept;

/// The observer of programs with checked kernels; defined only there.
Observer& observer_of_checked_kernels() noexcept;

/// Grants access to device memory during its lifetime: for a launch, a copy, a library call.
class DeviceMemoryAccess {
 public:
  DeviceMemoryAccess() : observer_(observer()) {
    if (observer_ != nullptr) observer_->open_device_memory();
  }
  DeviceMemoryAccess(const DeviceMemoryAccess&) = delete;
  DeviceMemoryAccess& operator=(const DeviceMemoryAccess&) = delete;
  ~DeviceMemoryAccess() {
    if (observer_ != nullptr) observer_->close_device_memory();
  }

 private:
  Observer* observer_;
};

/// What a checked access throws to end its thread; the scheduler then ends the block.
struct KernelStopped {};

}  // namespace gpu::cpu
