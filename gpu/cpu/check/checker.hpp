// SPDX-License-Identifier: MIT
// Judges every memory access of a kernel and explains the first one that is undefined on a GPU.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "access_history.hpp"
#include "gpu/cpu/observer.hpp"
#include "memory_map.hpp"

namespace gpu::cpu::check {

/// The observer behind checked kernels.
class Checker : public Observer {
 public:
  static Checker& instance();

  /// Called for each access of instrumented code; outside a kernel it returns at once.
  void on_access(Address address, std::size_t size, AccessKind kind, Address place);
  bool in_kernel() const noexcept { return in_kernel_; }

  std::size_t guard_bytes() const override;
  void allocated(void* memory, std::size_t bytes, SourceLocation where) override;
  void released(void* memory) override;
  void launch_begins(const KernelLaunch& launch, void* shared, std::size_t shared_bytes) override;
  void enter_kernel_code() override { in_kernel_ = true; }
  void leave_kernel_code() override { in_kernel_ = false; }
  void block_begins() override;
  void block_met() override { ++block_interval_; }
  void warp_met(int number) override { ++warp_interval_[number]; }
  void launch_ends() override;

 private:
  enum class Space { kGlobal, kShared, kPrivate, kNone };

  Checker();
  Space space_of(Address address, std::size_t size) const;
  Access describe(AccessKind kind, Address place) const;
  void check_global(Address address, std::size_t size, const Access& access);
  void check_shared(Address address, std::size_t size, const Access& access);
  void report(std::string text);
  std::string explain_stray(Address address, std::size_t size, const Access& access) const;
  std::string explain_race(const Conflict& conflict, Address address, const char* space) const;
  std::string who(const Access& access) const;

  BufferMap buffers_;
  std::vector<AddressRange> static_memory_, own_variables_;
  AddressRange thread_local_memory_, dynamic_shared_, arguments_;
  AccessHistory global_history_, shared_history_;
  const KernelLaunch* launch_ = nullptr;
  std::uint32_t block_interval_ = 0;
  std::array<std::uint32_t, 32> warp_interval_{};
  bool in_kernel_ = false;
  std::optional<std::string> finding_, unwritten_read_;
  int more_findings_ = 0;
};

}  // namespace gpu::cpu::check
