// SPDX-License-Identifier: MIT
// Atomic additions: in shared memory, spread over global memory, and all on one address; and the
// bandwidth of shared memory.
#include <algorithm>
#include <cmath>
#include <functional>

#include "gpu/gpu.hpp"
#include "launch_shape.hpp"
#include "memory/walk.hpp"
#include "operations.hpp"
#include "unrolled.hpp"

namespace roofline::measure {
namespace {

std::vector<LaunchShape> shapes_of_atomics(int units) {
  const auto count = static_cast<unsigned>(units);
  if (kContiguousThreads) return {{count, 1}};
  return {{count, 1024}, {count * 2, 1024}, {count * 4, 256}};
}

/// A kernel of this file: its launches, and a count of wrong results.
class Rate : public OperationRate {
 public:
  struct Way {
    LaunchShape shape;
    double amount;
    Launch launch;
    std::function<long()> wrong;
  };
  Rate(std::string name, RoofKind kind, std::string note)
      : name_(std::move(name)), kind_(kind), note_(std::move(note)) {}
  std::string name() const override { return name_; }
  RoofKind kind() const override { return kind_; }
  std::string note() const override { return note_; }
  std::vector<Candidate> candidates() override {
    if (ways_.empty()) ways_ = ways();
    std::vector<Candidate> all;
    for (const Way& way : ways_) all.push_back({way.shape.description(), way.amount, way.launch});
    return all;
  }
  long wrong_results(std::size_t candidate) override { return ways_.at(candidate).wrong(); }

 protected:
  /// Called once, when the roof is measured: allocates what the launches need.
  virtual std::vector<Way> ways() = 0;

 private:
  std::string name_;
  RoofKind kind_;
  std::string note_;
  std::vector<Way> ways_;
};

// --- Shared memory ---

using SharedLane = Lane<float>;
constexpr unsigned kSharedLanes = 2048;  // 32 KiB: two such blocks fit everywhere
constexpr unsigned kReads = 8;
constexpr unsigned kReadPasses = 1 << 12;
constexpr unsigned kSharedValues = 7;
constexpr unsigned kPassShift = 32;

// Adjacent threads read adjacent 16 bytes, so no two conflict on a bank; the offset changes with
// every pass, so that no value can stay in a register.
__global__ void shared_read_kernel(float* out) {
  SharedLane* lanes = gpu::dynamic_shared<SharedLane>();
  const auto thread = static_cast<unsigned>(threadIdx.x);
  for (unsigned lane = thread; lane < kSharedLanes; lane += static_cast<unsigned>(blockDim.x)) {
    lanes[lane] = splat<SharedLane>(static_cast<float>(lane % kSharedValues));
  }
  __syncthreads();
  SharedLane sums[kReads];
  unrolled<kReads>([&](int u) { sums[u] = splat<SharedLane>(0.0f); });
  for (unsigned pass = 0; pass < kReadPasses; ++pass) {
    const SharedLane* from = lanes + ((thread + pass * kPassShift) & (kSharedLanes / 2 - 1));
    unrolled<kReads>([&](int u) {
      sums[u] = sums[u] + from[static_cast<unsigned>(u) * (kSharedLanes / 2 / kReads)];
    });
  }
  float total = 0;
  // Uses every part of a lane: if some were unused, the compiler would load less.
  unrolled<kReads>([&](int u) {
    for (int i = 0; i < kLaneWidth<float>; ++i) total += element(sums[u], i);
  });
  out[index_of_this_thread()] = total;
}

float expected_reads(unsigned thread) {
  double sum = 0;
  for (unsigned pass = 0; pass < kReadPasses; ++pass) {
    const unsigned from = (thread + pass * kPassShift) & (kSharedLanes / 2 - 1);
    for (unsigned u = 0; u < kReads; ++u)
      sum += (from + u * (kSharedLanes / 2 / kReads)) % kSharedValues;
  }
  return static_cast<float>(sum * kLaneWidth<float>);  // below 2^24: exact
}

class SharedReads : public Rate {
 public:
  explicit SharedReads(int units)
      : Rate("shared", RoofKind::kBandwidth,
             "16 bytes a thread, no bank conflicts; all units together"),
        units_(units) {}

 protected:
  std::vector<Way> ways() override {
    out_ = gpu::DeviceBuffer<float>(static_cast<std::size_t>(units_) * 2048);
    std::vector<Way> all;
    for (const LaunchShape& shape : shapes_of_atomics(units_)) {
      const Launch launch = [shape, out = out_.data()] {
        gpu::launch<shared_read_kernel>({.grid = dim3(shape.grid),
                                         .block = dim3(shape.block),
                                         .shared_bytes = kSharedLanes * sizeof(SharedLane)},
                                        out);
      };
      all.push_back(
          {shape,
           double{sizeof(SharedLane)} * kReads * kReadPasses * static_cast<double>(shape.threads()),
           launch, [this, shape, launch] { return wrong(shape, launch); }});
    }
    return all;
  }

 private:
  long wrong(const LaunchShape& shape, const Launch& launch) {
    gpu::fill_bytes(out_, 0xff);
    launch();
    const std::vector<float> results = gpu::to_host(out_);
    std::vector<float> expected;
    for (unsigned thread = 0; thread < shape.block; ++thread) {
      expected.push_back(expected_reads(thread));
    }
    long count = 0;
    for (std::size_t i = 0; i < shape.threads(); ++i) {
      if (!(results[i] == expected[i % shape.block])) ++count;
    }
    return count;
  }

  int units_;
  gpu::DeviceBuffer<float> out_;
};

// --- Atomics ---

constexpr unsigned kCounters = 1024;
constexpr unsigned kSharedAdditions = kContiguousThreads ? 1 << 18 : 1 << 13;

// With every addition a thread moves to the next counter, and so do its neighbours.
__global__ void shared_atomics_kernel(unsigned* out) {
  unsigned* counters = gpu::dynamic_shared<unsigned>();
  const auto thread = static_cast<unsigned>(threadIdx.x);
  const auto threads = static_cast<unsigned>(blockDim.x);
  for (unsigned i = thread; i < kCounters; i += threads) counters[i] = 0;
  __syncthreads();
  for (unsigned i = 0; i < kSharedAdditions; i += 4) {
    unrolled<4>([&](int u) {
      atomicAdd(&counters[(thread + i + static_cast<unsigned>(u)) & (kCounters - 1)], 1u);
    });
  }
  __syncthreads();
  for (unsigned i = thread; i < kCounters; i += threads) {
    out[static_cast<unsigned>(blockIdx.x) * kCounters + i] = counters[i];
  }
}

long differing(const std::vector<unsigned>& results,
               const std::function<unsigned(std::size_t)>& expected) {
  long count = 0;
  for (std::size_t i = 0; i < results.size(); ++i) count += results[i] != expected(i);
  return count;
}

class SharedAtomics : public Rate {
 public:
  explicit SharedAtomics(int units)
      : Rate(
            "atomic.shared", RoofKind::kOperationRate,
            "32-bit additions, the threads of a block on different addresses of its shared memory"),
        units_(units) {}

 protected:
  std::vector<Way> ways() override {
    std::vector<Way> all;
    for (const LaunchShape& shape : shapes_of_atomics(units_)) {
      auto out = std::make_shared<gpu::DeviceBuffer<unsigned>>(std::size_t{shape.grid} * kCounters);
      const Launch launch = [shape, out] {
        gpu::launch<shared_atomics_kernel>({.grid = dim3(shape.grid),
                                            .block = dim3(shape.block),
                                            .shared_bytes = kCounters * sizeof(unsigned)},
                                           out->data());
      };
      all.push_back({shape, double{kSharedAdditions} * static_cast<double>(shape.threads()), launch,
                     [shape, launch, out] {
                       gpu::fill_bytes(*out, 0xff);
                       launch();
                       // Each thread visits every counter equally often.
                       return differing(gpu::to_host(*out), [&](std::size_t) {
                         return kSharedAdditions / kCounters * shape.block;
                       });
                     }});
    }
    return all;
  }

 private:
  int units_;
};

enum class Addresses { kSpread, kOne };

// Spread: 4 MiB, which the L2 of a GPU holds, or 256 KiB on a CPU.
constexpr unsigned kSpreadCounters = kContiguousThreads ? 1u << 16 : 1u << 20;
constexpr unsigned kGlobalAdditions = kContiguousThreads ? 4 * kSpreadCounters : 256;

// On a GPU, adjacent threads use adjacent addresses; on a CPU, threads are far apart.
template <Addresses addresses>
__global__ void global_atomics_kernel(unsigned* counters) {
  const auto thread = static_cast<unsigned>(index_of_this_thread());
  const auto threads = static_cast<unsigned>(gridDim.x) * static_cast<unsigned>(blockDim.x);
  unsigned at = kContiguousThreads ? thread * (kSpreadCounters / threads) : thread;
  for (unsigned i = 0; i < kGlobalAdditions; ++i) {
    if constexpr (addresses == Addresses::kOne) {
      atomicAdd(counters, 1u);
    } else {
      atomicAdd(&counters[at & (kSpreadCounters - 1)], 1u);
      at += kContiguousThreads ? 1 : threads;
    }
  }
}

template <Addresses addresses>
class GlobalAtomics : public Rate {
 public:
  GlobalAtomics(const char* name, const char* note, int units)
      : Rate(name, RoofKind::kOperationRate, note), units_(units) {}

 protected:
  std::vector<Way> ways() override {
    counters_ = gpu::DeviceBuffer<unsigned>(addresses == Addresses::kOne ? 1 : kSpreadCounters);
    std::vector<Way> all;
    for (const LaunchShape& shape : shapes_of_atomics(units_)) {
      const Launch launch = [shape, counters = counters_.data()] {
        gpu::launch<global_atomics_kernel<addresses>>(shape.grid, shape.block, counters);
      };
      const std::size_t total = std::size_t{kGlobalAdditions} * shape.threads();
      all.push_back({shape, static_cast<double>(total), launch, [this, launch, total] {
                       gpu::fill_bytes(counters_, 0);
                       launch();
                       // The additions cycle through all addresses, so some get one more.
                       const std::size_t size = counters_.size();
                       return differing(gpu::to_host(counters_), [=](std::size_t i) {
                         return static_cast<unsigned>(total / size + (i < total % size));
                       });
                     }});
    }
    return all;
  }

 private:
  int units_;
  gpu::DeviceBuffer<unsigned> counters_;
};

}  // namespace

std::vector<std::unique_ptr<OperationRate>> shared_and_atomic_operations(int units) {
  std::vector<std::unique_ptr<OperationRate>> all;
  // A CPU has no such memory besides its caches.
  if (!kContiguousThreads) all.push_back(std::make_unique<SharedReads>(units));
  all.push_back(std::make_unique<SharedAtomics>(units));
  all.push_back(std::make_unique<GlobalAtomics<Addresses::kSpread>>(
      "atomic.spread", "32-bit additions to different addresses that a cache holds", units));
  all.push_back(std::make_unique<GlobalAtomics<Addresses::kOne>>(
      "atomic.contended",
      "32-bit additions of all threads to one address; a compiler may add up those of a warp first",
      units));
  return all;
}

}  // namespace roofline::measure
