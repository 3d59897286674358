// SPDX-License-Identifier: MIT
// Runs the threads of a block: as a plain loop, and as fibers from the first barrier on.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "block_queue.hpp"
#include "fiber.hpp"
#include "fiber_stack.hpp"
#include "gpu/backend/launch.hpp"
#include "gpu/cpu/observer.hpp"
#include "gpu/cpu/runtime.hpp"

namespace gpu::cpu {

/// Runs blocks of one launch on one operating system thread.
///
/// The loop over a block's threads runs in a fiber. A thread that reaches a barrier keeps that
/// fiber as its own, and a new fiber continues the loop from the next thread. A thread that reaches
/// none never costs a fiber. Warps run one after the other, each as far as it can.
///
/// Everything from a kernel's barrier to the switch of stacks and back is inlined into one
/// function. The processor predicts returns to the old stack's callers, so every return after a
/// switch is mispredicted, which costs more than the switch itself.
class BlockScheduler {
 public:
  /// The scheduler of the calling operating system thread.
  static BlockScheduler& of_this_thread();

  BlockScheduler();
  ~BlockScheduler();

  /// Runs the blocks in `range` of `launch`. Throws what the first failing thread threw.
  void run(const KernelLaunch& launch, BlockRange range);
  /// Allocates a launch's dynamic shared memory.
  void* provide_shared_memory(std::size_t bytes);

  int block_barrier(bool predicate, SourceLocation where);
  std::uint64_t warp_collective(std::uint64_t mask, WarpOperation operation, std::uint64_t value,
                                int source, SourceLocation where);
  int lane() const noexcept;
  void* shared_memory() noexcept { return shared_.data(); }
  /// Position of the running thread in its block, x fastest.
  int thread() const noexcept;

 private:
  static constexpr int kMaxThreads = detail::kMaxThreadsPerBlock;
  static constexpr int kMaxWarps = kMaxThreads / 32;
  // Values besides a thread that pick_next() can return.
  static constexpr int kFreshLoop = -1, kBlockLoop = -2;

  struct Warp {
    std::uint64_t exists = 0, ready = 0, at_barrier = 0, at_collective = 0, done = 0;
  };
  struct Collective {
    std::uint64_t mask, value, result;
    int source;
    WarpOperation operation;
  };
  // Thrown through a kernel to unwind it after another thread has failed.
  struct BlockAborted {};

  void prepare_block(std::int64_t block);
  void split_block();
  void mark_passed(int end);
  void run_block_loop(BlockRange range);
  void run_thread_loop();
  boost::context::fiber serve_fresh_loops(boost::context::fiber&& from);

  void adopt_current_thread();
  void begin_fiber();
  void suspend_current_thread();
  int pick_next();
  int search_next();
  void release_warp(int number);
  bool tell_who_is_here(int number);
  void complete_collective(int number, int leader, std::uint64_t group);
  bool release_block();

  Fiber take_fiber(int next);
  Fiber take_fiber_of_loop(int next);
  Fiber resume_from(Fiber& own_slot, Fiber&& next);
  void switch_to(int next, Fiber& own_slot);

  [[noreturn]] void refuse_lane(int lane, SourceLocation where);
  void fail(std::exception_ptr why);
  void fail(const std::string& explanation, SourceLocation where);
  std::string describe_divergence() const;
  std::string describe_bad_source(int number, int lane) const;
  std::string list_waiting_at(SourceLocation where) const;
  std::string list_threads(const std::function<bool(int)>& belongs) const;

  const KernelLaunch* launch_ = nullptr;
  Observer* observer_ = nullptr;
  int threads_ = 0, warps_ = 0, width_ = 32;
  std::int64_t next_block_ = -1;  // the block after blockIdx
  int started_ = 0;               // threads below this one have a fiber or are done
  int running_ = kFreshLoop;
  int current_warp_ = 0;
  int waiting_ = 0;  // threads at the barrier
  int votes_ = 0, vote_result_ = 0;
  Index3 fresh_index_{};
  std::array<Warp, kMaxWarps> warp_{};
  std::vector<Collective> collective_;
  std::vector<SourceLocation> site_;
  std::vector<Fiber> fiber_;

  FiberStacks stacks_;
  std::vector<Fiber> parked_;
  Fiber block_loop_, home_;
  Fiber* resumer_slot_ = nullptr;
  bool stopping_ = false, split_ = false, barriers_differ_ = false;
  SourceLocation barrier_site_;
  std::exception_ptr failure_;
  std::vector<std::max_align_t> shared_;
};

/// "(1,2,3)"
std::string to_string(const Index3& index);

}  // namespace gpu::cpu
