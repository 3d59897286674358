// SPDX-License-Identifier: MIT
// Checks a launch and spreads its blocks over the workers.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <mutex>

#include "block_queue.hpp"
#include "block_scheduler.hpp"
#include "gpu/cpu/observer.hpp"
#include "gpu/cpu/runtime.hpp"
#include "gpu/error.hpp"
#include "launch_limits.hpp"
#include "worker_pool.hpp"

namespace gpu::cpu {
namespace {

// Runs `body`, keeps the first exception of all workers, and lets the others stop early.
class FirstFailure {
 public:
  template <class Body>
  void guard(BlockQueue& queue, const Body& body) {
    try {
      body();
    } catch (...) {
      queue.cancel();
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
};

// Runs one block after the other, under the observer.
void run_observed(const KernelLaunch& launch, std::int64_t blocks, Observer& observer) {
  const DeviceMemoryAccess access;
  BlockScheduler& scheduler = BlockScheduler::of_this_thread();
  void* shared = scheduler.provide_shared_memory(launch.shared_bytes);
  observer.launch_begins(launch, shared, launch.shared_bytes);
  try {
    while (const auto range = observer.next_blocks(blocks)) scheduler.run(launch, *range);
  } catch (const KernelStopped&) {
    // launch_ends() reports why.
  }
  observer.launch_ends();
}

int default_warp_width() {
  const char* text = std::getenv("ROOFLINE_WARP_WIDTH");
  return text == nullptr ? 32 : std::atoi(text);
}

}  // namespace

[[gnu::weak]] Observer& observer_of_checked_kernels() noexcept;

// A function rather than a variable, which code on the host could overwrite.
Observer* observer() noexcept {
  return &observer_of_checked_kernels == nullptr ? nullptr : &observer_of_checked_kernels();
}

void run(const KernelLaunch& request) {
  KernelLaunch launch = request;
  const int observed_width = observer() == nullptr ? 0 : observer()->warp_width();
  if (observed_width != 0) launch.warp_width = observed_width;
  if (launch.warp_width == 0) launch.warp_width = default_warp_width();
  check_limits(launch);
  const std::int64_t blocks = std::int64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  if (observer() != nullptr) return run_observed(launch, blocks, *observer());
  const int workers =
      blocks == 1 ? 1
                  : static_cast<int>(std::min<std::int64_t>(WorkerPool::instance().size(), blocks));
  BlockQueue queue(blocks, workers);
  FirstFailure failure;
  const auto work = [&](int worker) {
    failure.guard(queue, [&] {
      auto& scheduler = BlockScheduler::of_this_thread();
      while (const auto range = queue.take(worker)) scheduler.run(launch, *range);
    });
  };
  if (workers == 1) {
    work(0);
  } else {
    WorkerPool::instance().run(workers, work);
  }
  failure.rethrow();
}

}  // namespace gpu::cpu
