// SPDX-License-Identifier: MIT
// The operating system threads that run blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace gpu::cpu {

/// One thread per core (or ROOFLINE_CPU_THREADS); the caller of run() is worker 0.
class WorkerPool {
 public:
  /// The pool of this process, created at the first launch.
  static WorkerPool& instance();

  ~WorkerPool();
  int size() const noexcept { return static_cast<int>(threads_.size()) + 1; }
  /// Calls work(0) ... work(workers - 1), each on its own thread, and returns when all are done.
  /// `work` must not throw. One run at a time; other callers wait.
  void run(int workers, const std::function<void(int)>& work);

 private:
  WorkerPool();
  void serve(int worker);
  std::uint32_t wait_for_change(std::uint32_t seen) const;

  std::mutex one_run_;
  const std::function<void(int)>* work_ = nullptr;
  int workers_ = 0;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint32_t> generation_ = 0;
  std::atomic<int> unfinished_ = 0;
  std::vector<std::thread> threads_;
};

/// The number of workers that the environment or this machine determines.
int configured_workers();

}  // namespace gpu::cpu
