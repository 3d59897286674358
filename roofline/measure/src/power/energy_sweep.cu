// SPDX-License-Identifier: MIT
// FP32 multiply-adds on data read from DRAM, at a range of intensities.
#include <algorithm>
#include <cmath>

#include "energy_sweep.hpp"
#include "gpu/gpu.hpp"
#include "memory/walk.hpp"
#include "unrolled.hpp"

namespace roofline::measure {
namespace {

using FloatLane = Lane<float>;

constexpr std::uint32_t kSweptSeed = 5;
constexpr unsigned kBlock = kContiguousThreads ? 1 : 512;
constexpr unsigned kBlocksPerUnit = kContiguousThreads ? 1 : 4;
constexpr int kStepsALoop = 2;
constexpr int kSweptSteps[] = {0, 2, 4, 8, 16, 32, 64, 128};
// Negative, so that values change sign at every step and never settle.
constexpr float kFactor = -0.9999f;
constexpr float kSummand = 0.75f;
constexpr std::size_t kCheckedSums = 2;
constexpr double kSweptTolerance = 1e-4;  // sums of a few hundred values rounded to FP32

__global__ void sweep_kernel(float* partial, const float* x, std::size_t lanes_per_thread,
                             int steps) {
  const Walk walk = walk_of_this_thread(lanes_per_thread);
  const FloatLane* from = reinterpret_cast<const FloatLane*>(x) + walk.first;
  const FloatLane a = splat<FloatLane>(kFactor);
  const FloatLane b = splat<FloatLane>(kSummand);
  FloatLane sums[kLanesAtATime];
  unrolled<kLanesAtATime>([&](int u) { sums[u] = splat<FloatLane>(0.0f); });
  for (std::size_t k = 0; k < lanes_per_thread; k += kLanesAtATime) {
    FloatLane value[kLanesAtATime];
    unrolled<kLanesAtATime>(
        [&](int u) { value[u] = from[(k + static_cast<std::size_t>(u)) * walk.step]; });
    for (int step = 0; step < steps; step += kStepsALoop) {
      unrolled<kStepsALoop>([&](int) {
        unrolled<kLanesAtATime>([&](int u) { value[u] = multiply_add(value[u], a, b); });
      });
    }
    unrolled<kLanesAtATime>([&](int u) { sums[u] = sums[u] + value[u]; });
  }
  float total = 0;
  unrolled<kLanesAtATime>([&](int u) {
    for (int i = 0; i < kLaneWidth<float>; ++i) total += element(sums[u], i);
  });
  partial[index_of_this_thread()] = total;
}

__global__ void operands_kernel(float* x, std::size_t per_thread) {
  const Walk walk = walk_of_this_thread(per_thread);
  for (std::size_t k = 0; k < per_thread; ++k) {
    const std::size_t i = walk.first + k * walk.step;
    x[i] = static_cast<float>(operand(i, kSweptSeed));
  }
}

std::size_t threads_of(int units) {
  return static_cast<std::size_t>(units) * kBlocksPerUnit * kBlock;
}

double expected_sum(std::size_t thread, std::size_t threads, std::size_t lanes_per_thread,
                    int steps) {
  double sum = 0;
  for (std::size_t k = 0; k < lanes_per_thread; ++k) {
    const std::size_t lane =
        kContiguousThreads ? thread * lanes_per_thread + k : thread + k * threads;
    for (std::size_t i = 0; i < kLaneWidth<float>; ++i) {
      double value = static_cast<float>(operand(lane * kLaneWidth<float> + i, kSweptSeed));
      for (int step = 0; step < steps; ++step) {
        value = value * static_cast<double>(kFactor) + static_cast<double>(kSummand);
      }
      sum += value;
    }
  }
  return sum;
}

}  // namespace

EnergySweep::EnergySweep(double bytes, int units)
    : units_(units),
      lanes_per_thread_(std::max<std::size_t>(1, static_cast<std::size_t>(bytes / kLaneBytes) /
                                                     threads_of(units) / kLanesAtATime) *
                        kLanesAtATime),
      x_(lanes_per_thread_ * threads_of(units) * kLaneWidth<float>),
      partial_(threads_of(units)) {
  const auto grid = static_cast<unsigned>(units) * kBlocksPerUnit;
  gpu::launch<operands_kernel>(grid, kBlock, x_.data(), x_.size() / threads_of(units));
  gpu::synchronize();
}

Launch EnergySweep::launch_of(int steps, std::size_t lanes_per_thread) {
  const auto grid = static_cast<unsigned>(units_) * kBlocksPerUnit;
  return [=, partial = partial_.data(), x = x_.data()] {
    gpu::launch<sweep_kernel>(grid, kBlock, partial, x, lanes_per_thread, steps);
  };
}

std::vector<SweepLoad> EnergySweep::loads() {
  std::vector<SweepLoad> all;
  for (const int steps : kSweptSteps) {
    SweepLoad load;
    load.description = std::to_string(steps) + " multiply-adds per element";
    load.amount = static_cast<double>(x_.size_bytes());
    load.flops = (2.0 * steps + 1) * static_cast<double>(x_.size());
    load.steps = steps;
    load.launch = launch_of(steps, lanes_per_thread_);
    all.push_back(std::move(load));
  }
  return all;
}

bool EnergySweep::sums_are_right(const SweepLoad& load) {
  const std::size_t lanes = std::min<std::size_t>(lanes_per_thread_, 8 * kLanesAtATime);
  gpu::fill_bytes(partial_, 0xff);
  launch_of(load.steps, lanes)();
  const std::vector<float> sums = gpu::to_host(partial_);
  const std::size_t threads = sums.size();
  for (std::size_t i = 0; i < std::min(threads, kCheckedSums); ++i) {
    const std::size_t thread = i * (threads - 1);  // the first and the last
    const double expected = expected_sum(thread, threads, lanes, load.steps);
    if (!(std::fabs(sums[thread] - expected) <= kSweptTolerance * std::fabs(expected)))
      return false;
  }
  return true;
}

}  // namespace roofline::measure
