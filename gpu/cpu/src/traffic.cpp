// SPDX-License-Identifier: MIT
// Counts accesses, the bytes they touch, and the sectors that warps ask for.
#include "gpu/cpu/traffic.hpp"

#include <algorithm>
#include <bitset>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "fiber_stack.hpp"
#include "gpu/cpu/observer.hpp"
#include "memory_map.hpp"

namespace gpu {
namespace cpu {

constinit thread_local Counts* running_counts = nullptr;

namespace {

constexpr std::size_t kSectorBytes = 32, kPageBytes = 4096;

// Which bytes of the address space have been touched.
class ByteSet {
 public:
  void add(Address address, std::size_t bytes) {
    for (Address byte = address; byte < address + bytes; ++byte) {
      pages_[byte / kPageBytes].set(byte % kPageBytes);
    }
  }
  std::uint64_t size() const {
    std::uint64_t total = 0;
    for (const auto& [page, bytes] : pages_) total += bytes.count();
    return total;
  }

 private:
  std::unordered_map<Address, std::bitset<kPageBytes>> pages_;
};

// The accesses of one block. Lanes of a warp execute an access together: that of the same place in
// the program, the same time round.
class WarpAccesses {
 public:
  void clear() {
    rounds_.clear();
    sectors_.clear();
  }
  void add(int thread, Address place, Address address, std::size_t bytes) {
    const std::uint64_t round = rounds_[{thread, place}]++;
    auto& sectors = sectors_[{thread / warpSize, place, round}];
    for (Address sector = address / kSectorBytes; sector * kSectorBytes < address + bytes;
         ++sector) {
      if (std::ranges::find(sectors, sector) == sectors.end()) sectors.push_back(sector);
    }
  }
  std::uint64_t accesses() const { return sectors_.size(); }
  std::uint64_t sectors() const {
    std::uint64_t total = 0;
    for (const auto& [key, list] : sectors_) total += list.size();
    return total;
  }

 private:
  std::map<std::pair<int, Address>, std::uint64_t> rounds_;
  std::map<std::tuple<int, Address, std::uint64_t>, std::vector<Address>> sectors_;
};

enum class Space { kGlobal, kShared, kPrivate };

// Watches launches while count() runs, and passes on what the observer before it wants to know.
class TrafficObserver : public Observer {
 public:
  explicit TrafficObserver(Observer* next)
      : next_(next), thread_local_memory_(thread_local_memory()), static_memory_(static_memory()) {}

  std::size_t guard_bytes() const override { return next_ == nullptr ? 0 : next_->guard_bytes(); }
  void allocated(void* memory, std::size_t bytes, SourceLocation where) override {
    if (next_ != nullptr) next_->allocated(memory, bytes, where);
  }
  void released(void* memory) override {
    if (next_ != nullptr) next_->released(memory);
  }

  void launch_begins(const KernelLaunch& launch, void* shared, std::size_t shared_bytes) override {
    dynamic_shared_ = range(shared, shared_bytes);
    arguments_ = range(launch.arguments, launch.arguments_bytes);
  }
  void enter_kernel_code() override { running_counts = &counts_; }
  void leave_kernel_code() override { running_counts = nullptr; }
  void block_begins() override { finish_block(); }
  void block_met() override {}
  void warp_met(int) override {}
  void launch_ends() override { finish_block(); }

  void note(bool is_load, Address address, std::size_t bytes, Address place) {
    const Space space = space_of(address, bytes);
    if (space == Space::kPrivate) return;
    if (space == Space::kShared) {
      ++(is_load ? counts_.shared_loads : counts_.shared_stores);
      (is_load ? counts_.shared_bytes_loaded : counts_.shared_bytes_stored) += bytes;
      return;
    }
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    ++(is_load ? counts_.loads : counts_.stores);
    (is_load ? counts_.bytes_loaded : counts_.bytes_stored) += bytes;
    (is_load ? loaded_ : stored_).add(address, bytes);
    (is_load ? warp_loads_ : warp_stores_).add(thread, place, address, bytes);
  }

  Counts result() {
    finish_block();
    counts_.distinct_bytes_loaded = loaded_.size();
    counts_.distinct_bytes_stored = stored_.size();
    return counts_;
  }

 private:
  static AddressRange range(const void* begin, std::size_t bytes) {
    const auto address = reinterpret_cast<Address>(begin);
    return {address, address + bytes};
  }

  void finish_block() {
    counts_.warp_loads += warp_loads_.accesses();
    counts_.warp_stores += warp_stores_.accesses();
    counts_.sectors_loaded += warp_loads_.sectors();
    counts_.sectors_stored += warp_stores_.sectors();
    warp_loads_.clear();
    warp_stores_.clear();
  }

  // Numbers live in device buffers, in shared arrays, in a thread's own variables and in constants.
  Space space_of(Address address, std::size_t bytes) const {
    if (thread_local_memory_.contains(address, bytes) || dynamic_shared_.contains(address, bytes)) {
      return Space::kShared;
    }
    const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
    if (address + kFiberStackBytes > here && address < here + kFiberStackBytes) {
      return Space::kPrivate;
    }
    if (arguments_.contains(address, bytes)) return Space::kPrivate;
    const bool is_constant = std::ranges::any_of(
        static_memory_, [&](const AddressRange& range) { return range.contains(address, bytes); });
    return is_constant ? Space::kPrivate : Space::kGlobal;
  }

  Observer* next_;
  AddressRange thread_local_memory_, dynamic_shared_, arguments_;
  std::vector<AddressRange> static_memory_;
  Counts counts_;
  ByteSet loaded_, stored_;
  WarpAccesses warp_loads_, warp_stores_;
};

TrafficObserver* traffic = nullptr;

}  // namespace

void note_load(const void* address, std::size_t bytes) {
  if (running_counts == nullptr) return;
  traffic->note(true, reinterpret_cast<Address>(address), bytes,
                reinterpret_cast<Address>(__builtin_return_address(0)));
}

void note_store(const void* address, std::size_t bytes) {
  if (running_counts == nullptr) return;
  traffic->note(false, reinterpret_cast<Address>(address), bytes,
                reinterpret_cast<Address>(__builtin_return_address(0)));
}

}  // namespace cpu

Counts count(const std::function<void()>& launches) {
  cpu::Observer* const before = cpu::observer();
  cpu::TrafficObserver observer(before);
  cpu::TrafficObserver* const outer = std::exchange(cpu::traffic, &observer);
  cpu::set_observer(&observer);
  const auto restore = [&] {
    cpu::set_observer(before);
    cpu::traffic = outer;
  };
  try {
    launches();
  } catch (...) {
    restore();
    throw;
  }
  restore();
  return observer.result();
}

}  // namespace gpu
