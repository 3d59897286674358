// SPDX-License-Identifier: MIT
// Hands work to the pool's threads, which spin for a few microseconds and then sleep.
#include "worker_pool.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace gpu::cpu {
namespace {

// Long enough to catch the next in a series of short launches, short compared with a time slice.
constexpr auto kLookingTime = std::chrono::microseconds(20);

// Tells the core that this is a spin loop.
void relax() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

// Spins until `value` is no longer `seen` or the time is up.
template <class T>
void look_for_change(const std::atomic<T>& value, T seen) {
  const auto end = std::chrono::steady_clock::now() + kLookingTime;
  while (value.load(std::memory_order_acquire) == seen && std::chrono::steady_clock::now() < end) {
    relax();
  }
}

}  // namespace

int configured_workers() {
  if (const char* text = std::getenv("ROOFLINE_CPU_THREADS")) {
    return std::clamp(std::atoi(text), 1, 1024);
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

WorkerPool& WorkerPool::instance() {
  static WorkerPool pool;
  return pool;
}

WorkerPool::WorkerPool() {
  for (int worker = 1; worker < configured_workers(); ++worker) {
    threads_.emplace_back([this, worker] { serve(worker); });
  }
}

WorkerPool::~WorkerPool() {
  stopping_ = true;
  ++generation_;
  generation_.notify_all();
  for (auto& thread : threads_) thread.join();
}

std::uint32_t WorkerPool::wait_for_change(std::uint32_t seen) const {
  look_for_change(generation_, seen);
  generation_.wait(seen, std::memory_order_acquire);
  return generation_.load(std::memory_order_acquire);
}

void WorkerPool::serve(int worker) {
  for (std::uint32_t seen = 0;;) {
    seen = wait_for_change(seen);
    if (stopping_) return;
    if (worker < workers_) (*work_)(worker);
    // Idle workers report back too: none may still be reading the fields of a finished run.
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
  }
}

void WorkerPool::run(int workers, const std::function<void(int)>& work) {
  if (workers <= 1) return work(0);
  const std::lock_guard lock(one_run_);
  work_ = &work;
  workers_ = workers;
  unfinished_.store(size() - 1, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  work(0);
  for (int left = unfinished_.load(std::memory_order_acquire); left != 0;
       left = unfinished_.load(std::memory_order_acquire)) {
    look_for_change(unfinished_, left);
    unfinished_.wait(left, std::memory_order_acquire);
  }
}

}  // namespace gpu::cpu
