// SPDX-License-Identifier: MIT
// Deals the blocks of a grid to workers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/cpu/runtime.hpp"

namespace gpu::cpu {

/// Each worker owns one contiguous range of blocks, always the same one for the same grid, so that
/// caches and memory pages stay with their core; a worker that has finished helps the others.
class BlockQueue {
 public:
  BlockQueue(std::int64_t blocks, int workers)
      : blocks_(blocks), workers_(workers), next_(std::make_unique<Counter[]>(workers)) {
    for (int worker = 0; worker < workers; ++worker) next_[worker].value = first_of(worker);
    chunk_ = std::max<std::int64_t>(1, blocks / (std::int64_t{kChunksPerWorker} * workers));
  }

  /// The next blocks for `worker`, or nothing when all blocks are dealt out.
  std::optional<BlockRange> take(int worker) {
    for (int offset = 0; offset < workers_; ++offset) {
      const int owner = (worker + offset) % workers_;
      const std::int64_t end = first_of(owner + 1);
      if (next_[owner].value.load(std::memory_order_relaxed) >= end) continue;
      const std::int64_t begin = next_[owner].value.fetch_add(chunk_, std::memory_order_relaxed);
      if (begin < end) return BlockRange{begin, std::min(begin + chunk_, end)};
    }
    return std::nullopt;
  }

  /// Stops dealing out blocks.
  void cancel() {
    for (int worker = 0; worker < workers_; ++worker) next_[worker].value = blocks_;
  }

 private:
  static constexpr int kChunksPerWorker = 16;
  struct alignas(64) Counter {
    std::atomic<std::int64_t> value;
  };

  std::int64_t first_of(int worker) const { return blocks_ * worker / workers_; }

  std::int64_t blocks_;
  std::int64_t chunk_ = 1;
  int workers_;
  std::unique_ptr<Counter[]> next_;
};

}  // namespace gpu::cpu
