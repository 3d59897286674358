// SPDX-License-Identifier: MIT
// Judges every memory access of a kernel and explains the first one that is undefined on a GPU.
#pragma once

#include <signal.h>

#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "gpu/cpu/observer.hpp"
#include "launch_profiler.hpp"
#include "matrix_unit.hpp"
#include "memory_map.hpp"
#include "requests/access_history.hpp"
#include "traffic.hpp"

namespace gpu::cpu::check {

/// The observer behind checked kernels.
class Checker : public Observer {
 public:
  /// Never destroyed: buffers may be released after main has ended. There is no pointer to it that
  /// code on the host could redirect.
  static Checker& instance() {
    if (!is_made_) make();
    return *std::launder(reinterpret_cast<Checker*>(place_));
  }

  /// Called for each access in a kernel's code. A GPU requires an address that is a multiple of
  /// `alignment`.
  void on_access(Address address, std::size_t size, AccessKind kind, Address place,
                 std::size_t alignment) {
    // Most accesses go to a thread's own variables.
    if (!stacks_.contains(address, size)) judge(address, size, kind, place, alignment);
  }
  /// Called for an index outside an array's declared bounds; `array` is the array's type.
  [[noreturn]] void on_index_outside(const std::string& index, const std::string& array,
                                     Address place);
  /// The running thread executes its lane of a matrix instruction with factors of this format.
  void on_matrix_instruction(const char* format, Address place);
  /// Called when some lanes of a warp have not reached its matrix instruction.
  [[noreturn]] void on_absent_lanes();
  MatrixUnit& matrix_unit() { return matrix_unit_; }
  /// A thread of the running block has called __threadfence().
  void block_fenced() { has_fenced_ = true; }
  bool in_kernel() const noexcept { return in_kernel_; }
  /// The result of `work`, which is not the kernel's code.
  template <class Work>
  auto beside_kernel(const Work& work) {
    in_kernel_ = false;
    const auto result = work();
    in_kernel_ = true;
    return result;
  }
  /// Counts into `traffic` until the next call; returns the previous counter, or nullptr.
  Traffic* count_into(Traffic* traffic);
  Traffic* traffic() const { return traffic_; }
  /// Profiles launches into `profiler` until the next call, instead of looking for races.
  void profile_into(LaunchProfiler* profiler);
  /// Ends the program when code on the host has changed what was counted since the last launch.
  void check_seal() const;
  /// A thread enters a basic block.
  void on_code(Address place) {
    if (profiler_ == nullptr && traffic_ == nullptr) return;
    in_kernel_ = false;  // code called from here is not the kernel's
    if (profiler_ != nullptr) profiler_->enter_code(place);
    if (traffic_ != nullptr) traffic_->enter_code(place);
    in_kernel_ = true;
  }

  std::size_t guard_bytes() const override;
  void allocated(void* memory, std::size_t bytes, SourceLocation where) override;
  void released(void* memory) override;
  void open_device_memory() override;
  void close_device_memory() override;
  void copies(detail::CopyKind kind, std::size_t bytes) override;
  void sets_constant(const void* variable, std::size_t bytes) override;
  void launch_recorded() override;
  void launch_replayed() override;
  int warp_width() const override;
  void launch_begins(const KernelLaunch& launch, void* shared, std::size_t shared_bytes) override;
  void enter_kernel_code() override { in_kernel_ = true; }
  void leave_kernel_code() override { in_kernel_ = false; }
  std::optional<BlockRange> next_blocks(std::int64_t blocks) override;
  void block_begins() override;
  void block_met() override;
  void warp_met(int number) override;
  void launch_ends() override;

 private:
  /// kStatic: a variable at file scope, which a GPU keeps in device memory.
  enum class Space { kGlobal, kShared, kPrivate, kStatic, kNone };

  Checker();
  static void make();
  void judge(Address address, std::size_t size, AccessKind kind, Address place,
             std::size_t alignment);
  /// Adds to what is counted by order of code on the host.
  void add_to(std::uint64_t Counts::*field, std::uint64_t count);
  std::uint64_t digest() const;
  void seal() const;
  static void set_access(const Buffer& buffer, bool is_open);
  static void explain_fault(int signal, siginfo_t* info, void* context);
  Space space_of(Address address, std::size_t size) const;
  bool is_on_stack(Address address, std::size_t size);
  AddressRange clear_of_others(AddressRange window, Address here) const;
  Access describe(AccessKind kind, Address place) const;
  /// Records an access for the profile; false if it is neither in a buffer nor shared.
  bool profile(const DeviceAccess& access, Address place);
  void check_global(Address address, std::size_t size, const Access& access);
  void check_static(Address address, std::size_t size, const Access& access);
  void check_order(Address address, std::size_t size, const Access& access);
  void hand_over(Address address, std::int32_t block);
  void check_shared(Address address, std::size_t size, const Access& access);
  /// Adds up the __shared__ arrays that the kernel uses.
  void note_shared_variable(Address address);
  template <class Explain>
  void report(const Explain& explain);
  /// Ends the kernel, with this text as the finding.
  [[noreturn]] void stop(std::string finding);
  void report_race(const Conflict& conflict, Address address, std::size_t size, const char* space);
  void settle_writes();
  std::string explain_stray(Address address, std::size_t size, const Access& access) const;
  std::string explain_misaligned(Address address, std::size_t size, const Access& access,
                                 std::size_t alignment) const;
  std::string explain_race(const Conflict& conflict, Address address, const char* space) const;
  std::string who(const Access& access) const;
  /// The name of what is stored at an address, or empty.
  std::string name_of(Address address) const;

  static bool is_made_;
  static std::byte place_[];

  BufferMap buffers_;
  std::vector<AddressRange> static_memory_, writable_, constants_, own_variables_;
  std::size_t profiled_bytes_to_host_ = 0;
  Address host_frame_ = 0;  ///< host functions' variables start at this address
  int opened_ = 0;          ///< how often device memory has been opened
  AddressRange thread_local_memory_, dynamic_shared_, arguments_;
  AddressRange stacks_;  ///< memory that holds only threads' own variables
  AccessHistory global_history_, shared_history_;
  /// The __shared__ arrays that the launch has used, and the one that it used last.
  std::unordered_set<Address> used_shared_;
  std::size_t used_shared_bytes_ = 0;
  AddressRange last_shared_;
  /// Blocks that have fenced and then updated an atomic, by its address; and the blocks whose
  /// update the running block has seen, so that their earlier writes are visible to it.
  std::unordered_map<Address, std::vector<std::int32_t>> released_;
  std::unordered_set<std::int32_t> acquired_;
  bool has_fenced_ = false;
  const KernelLaunch* launch_ = nullptr;
  Traffic* traffic_ = nullptr;
  LaunchProfiler* profiler_ = nullptr;
  MatrixUnit matrix_unit_;
  bool has_begun_ = false;
  std::uint32_t block_interval_ = 0;
  std::array<std::uint32_t, 32> warp_interval_{};
  bool in_kernel_ = false;
  std::optional<std::string> finding_, unwritten_read_;
  /// Two unordered writes, the second of which is about to happen. It is not a race if it writes
  /// the value that is already there, as when all lanes of a warp store their common sum.
  struct UnsettledWrites {
    Conflict conflict;
    Address address = 0;
    const char* space = nullptr;
    std::vector<std::byte> before;
  };
  std::optional<UnsettledWrites> unsettled_;
  int more_findings_ = 0;
};

}  // namespace gpu::cpu::check
