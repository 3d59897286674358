// SPDX-License-Identifier: MIT
// The observer of launches: checked kernels hook in here, and fast kernels have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gpu/cpu/runtime.hpp"

namespace gpu::cpu {

/// Is told everything that memory checks need to know. While there is an observer all blocks run
/// one after the other on the calling thread, so that its findings are the same each time.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Bytes to leave free on both sides of each device buffer.
  virtual std::size_t guard_bytes() const = 0;
  virtual void allocated(void* memory, std::size_t bytes, SourceLocation where) = 0;
  virtual void released(void* memory) = 0;

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
/// Called once, before any launch.
void set_observer(Observer* observer) noexcept;

/// What a checked access throws to end its thread; the scheduler ends the block with it.
struct KernelStopped {};

}  // namespace gpu::cpu
