// SPDX-License-Identifier: MIT
// Latency of a load: one thread chases pointers, so that each load depends on the previous one.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gpu/gpu.hpp"
#include "latency.hpp"
#include "measure/backend/follow.hpp"
#include "measure/backend/lanes.hpp"
#include "measure/backend/remote.hpp"
#include "unrolled.hpp"

namespace roofline::measure {
namespace {

constexpr std::size_t kLineBytes = kContiguousThreads ? 64 : 128;
constexpr std::size_t kWordsPerLine = kLineBytes / sizeof(std::uint64_t);
constexpr int kHopsAnIteration = 16;
// Long enough that the cost of starting a kernel is negligible: about a millisecond in a cache, and
// a few from DRAM, where a load takes far longer.
constexpr std::size_t kCacheSteps = 1 << 16;
constexpr std::size_t kMemorySteps = 1 << 13;

// A working set well inside L1. (Part of a GPU's L1 may be set aside as shared memory.)
constexpr double kPartOfL1 = 0.125;
// Beyond the last cache. With a factor of 4, that cache could still serve a quarter of the loads; 8
// leaves an eighth.
constexpr double kTimesLastCache = 8;
constexpr double kFewestTimesLastCache = 3;

// Another GPU's memory is behind that GPU's last cache; this is eight times a Hopper GPU's.
constexpr double kFarBytes = 512 << 20;

bool is_far(const std::string& level) {
  return std::find(kFarLevels.begin(), kFarLevels.end(), level) != kFarLevels.end();
}

std::shared_ptr<std::uint64_t> words_on(const std::string& level, std::size_t count) {
  if (is_far(level)) return far_words(level, count);
  auto buffer = std::make_shared<gpu::DeviceBuffer<std::uint64_t>>(count);
  return {buffer, buffer->data()};
}

// A step loads the next address itself, so that no index has to be scaled and added between two
// loads.
__global__ void chase_kernel(std::uint64_t* cursor, std::size_t steps) {
  std::uint64_t at = *cursor;
  for (std::size_t i = 0; i < steps; i += kHopsAnIteration) {
    unrolled<kHopsAnIteration>([&](int) { at = follow(at); });
  }
  *cursor = at;
}

}  // namespace

std::vector<Rung> latency_rungs(const CacheSizes& one_core, double most_bytes) {
  std::vector<Rung> all;
  double largest = 0;
  const auto add = [&](const char* level, double capacity) {
    if (capacity <= largest) return;
    // Between two capacities: their geometric mean is equally far from both.
    const double bytes = largest > 0 ? std::sqrt(largest * capacity) : kPartOfL1 * capacity;
    all.push_back({bytes, level, true});
    largest = capacity;
  };
  add("L1", one_core.l1_per_unit);
  add("L2", one_core.l2);
  add("LLC", one_core.last_level);
  const double memory = std::min(kTimesLastCache * largest, most_bytes);
  if (largest > 0 && memory >= kFewestTimesLastCache * largest) {
    all.push_back({memory, "DRAM", true});
  }
  return all;
}

std::vector<Rung> far_rungs() {
  std::vector<Rung> all;
  for (const std::string_view level : kFarLevels) {
    all.push_back({kFarBytes, std::string(level), true});
  }
  return all;
}

Chase::Chase(const Rung& rung)
    : next_(single_cycle(
          std::max<std::size_t>(2, static_cast<std::size_t>(rung.bytes) / kLineBytes))),
      steps_(rung.level == "DRAM" || is_far(rung.level) ? kMemorySteps : kCacheSteps),
      lines_(words_on(rung.level, next_.size() * kWordsPerLine)),
      cursor_(1) {
  std::vector<std::uint64_t> words(next_.size() * kWordsPerLine);
  for (std::size_t i = 0; i < next_.size(); ++i) words[i * kWordsPerLine] = address_of(next_[i]);
  gpu::copy_to_device(gpu::DeviceSpan<std::uint64_t>(lines_.get(), words.size()), words);
}

Launch Chase::launch() {
  return
      [cursor = cursor_.data(), steps = steps_] { gpu::launch<chase_kernel>(1, 1, cursor, steps); };
}

double Chase::bytes() const {
  return static_cast<double>(next_.size() * kLineBytes);
}

bool Chase::ends_where_it_should() {
  gpu::copy_to_device(cursor_, std::vector<std::uint64_t>{address_of(0)});
  const Launch walk = launch();
  std::uint32_t expected = 0;
  const std::size_t launches = steps_ == kMemorySteps ? 2 : next_.size() / steps_ + 2;
  for (std::size_t i = 0; i < launches; ++i) {
    walk();
    expected = after_steps(next_, expected, steps_);
    if (gpu::to_host(cursor_).front() != address_of(expected)) return false;
  }
  return true;
}

std::size_t Chase::line_bytes() {
  return kLineBytes;
}

std::uint64_t Chase::address_of(std::uint32_t line) const {
  return reinterpret_cast<std::uint64_t>(lines_.get()) + line * kLineBytes;
}

}  // namespace roofline::measure
