// SPDX-License-Identifier: MIT
// Vector peaks: fused multiply-adds in registers, in many independent chains.
#include <cmath>

#include "gpu/gpu.hpp"
#include "memory/walk.hpp"
#include "unrolled.hpp"
#include "vector_peak.hpp"

namespace roofline::measure {
namespace {

constexpr std::uint32_t kSeed = 3;
constexpr std::uint32_t kSeedFactor = 4;
constexpr int kCheckedThreads = 64;
// Enough work that the cost of starting and ending a thread is negligible.
constexpr int kFmaPerChain = kContiguousThreads ? 1 << 17 : 1 << 16;

// The factor is slightly less than one in magnitude and negative: values change sign and bits at
// every step and neither grow nor settle, as they would with a positive one. Factor and summand are
// the same for all threads: on an H200, with separate ones per thread, the register file limited
// FP64 to 30.8 TFLOP/s; with shared ones it reaches 33.
inline double factor() {
  return -1.0 + 1e-5 * operand(0, kSeedFactor);
}
inline double summand() {
  return operand(1, kSeedFactor);
}

__host__ __device__ inline double start_of(std::size_t thread, int chain, int lane) {
  return operand(
      (thread * 64 + static_cast<std::size_t>(chain)) * 64 + static_cast<std::size_t>(lane), kSeed);
}

template <class T>
__device__ inline ComputeLane<T> start_lane(std::size_t thread, int chain) {
  alignas(ComputeLane<T>) T values[kComputeWidth<T>];
  for (int i = 0; i < kComputeWidth<T>; ++i) values[i] = static_cast<T>(start_of(thread, chain, i));
  return *reinterpret_cast<const ComputeLane<T>*>(values);
}

// x <- a x + b in `chains` registers; `repeat` steps per loop iteration keep the loop's own
// instructions out of the measurement.
template <class T, int chains, int repeat>
__global__ void fma_kernel(T* out, T factor, T summand, int iterations) {
  using L = ComputeLane<T>;
  const std::size_t thread = index_of_this_thread();
  const L a = splat<L>(factor);
  const L b = splat<L>(summand);
  L x[chains];
  unrolled<chains>([&](int c) { x[c] = start_lane<T>(thread, c); });
  for (int i = 0; i < iterations; ++i) {
    unrolled<repeat>(
        [&](int) { unrolled<chains>([&](int c) { x[c] = multiply_add(x[c], a, b); }); });
  }
  L sum = x[0];
  unrolled<chains - 1>([&](int c) { sum = sum + x[c + 1]; });
  reinterpret_cast<L*>(out)[thread] = sum;
}

/// A processor without FMA instructions, or a compiler that does not use them, rounds twice per
/// step; after that many steps the results differ.
template <class T>
T expected_result(std::size_t thread, int lane, int chains, bool rounds_twice) {
  const T a = static_cast<T>(factor());
  const T b = static_cast<T>(summand());
  T sum = 0;
  for (int c = 0; c < chains; ++c) {
    T x = static_cast<T>(start_of(thread, c, lane));
    for (int i = 0; i < kFmaPerChain; ++i) {
      if (rounds_twice) {
        const volatile T product = x * a;  // so that this compiler does not fuse it
        x = product + b;
      } else {
        x = std::fma(x, a, b);
      }
    }
    sum = c == 0 ? x : sum + x;
  }
  return sum;
}

}  // namespace

template <class T>
std::vector<LaunchShape> FmaChains<T>::shapes(int units) {
  const auto count = static_cast<unsigned>(units);
  if (kContiguousThreads) return {{count, 1}};
  return {{count * 4, 256}, {count * 8, 256}, {count * 2, 512},
          {count * 4, 512}, {count, 1024},    {count * 2, 1024}};
}

template <class T>
FmaChains<T>::FmaChains(int units)
    : units_(units), out_(static_cast<std::size_t>(units) * 2048 * kComputeWidth<T>) {}

template <class T>
template <int chains, int repeat>
void FmaChains<T>::add(std::vector<Candidate>& all, const LaunchShape& shape) {
  Candidate candidate;
  candidate.description = shape.description() + ", " + std::to_string(chains) + " chains of " +
                          std::to_string(kComputeWidth<T>) + ", " + std::to_string(repeat) +
                          " steps a loop";
  candidate.amount =
      2.0 * kFmaPerChain * chains * kComputeWidth<T> * static_cast<double>(shape.threads());
  candidate.launch = [shape, out = out_.data()] {
    gpu::launch<fma_kernel<T, chains, repeat>>(shape.grid, shape.block, out,
                                               static_cast<T>(factor()), static_cast<T>(summand()),
                                               kFmaPerChain / repeat);
  };
  all.push_back(std::move(candidate));
  chains_of_.push_back(chains);
}

template <class T>
std::vector<Candidate> FmaChains<T>::candidates() {
  std::vector<Candidate> all;
  chains_of_.clear();
  for (const LaunchShape& shape : shapes(units_)) {
    add<8, 4>(all, shape);
    add<8, 16>(all, shape);
    add<16, 4>(all, shape);
    if constexpr (kContiguousThreads) {
      add<12, 4>(all, shape);
      add<20, 2>(all, shape);
      add<24, 2>(all, shape);
    } else {
      add<4, 32>(all, shape);
      add<16, 16>(all, shape);
    }
  }
  return all;
}

template <class T>
long FmaChains<T>::wrong_results(std::size_t candidate) {
  const std::vector<Candidate> all = candidates();
  gpu::fill_bytes(out_, 0xff);
  all.at(candidate).launch();
  std::vector<T> results(kCheckedThreads * kComputeWidth<T>);
  const std::size_t checked = std::min(results.size(), out_.size());
  results.resize(checked);
  gpu::copy_to_host(results, out_.span().subspan(0, checked));
  long wrong = 0;
  const std::size_t threads =
      kContiguousThreads ? static_cast<std::size_t>(units_) : kCheckedThreads;
  for (std::size_t i = 0; i < threads * kComputeWidth<T> && i < checked; ++i) {
    const auto is_result = [&](bool rounds_twice) {
      const T expected =
          expected_result<T>(i / kComputeWidth<T>, static_cast<int>(i % kComputeWidth<T>),
                             chains_of_.at(candidate), rounds_twice);
      // Sums of rounded values may be added in a different order, but chains are exact.
      return std::fabs(results[i] - expected) <= 1e-5 * std::fabs(expected);
    };
    if (!is_result(false) && !is_result(true)) ++wrong;
  }
  return wrong;
}

template class FmaChains<float>;
template class FmaChains<double>;

}  // namespace roofline::measure
