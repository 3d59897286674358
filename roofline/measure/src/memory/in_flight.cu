// SPDX-License-Identifier: MIT
// Reads of DRAM with a known number of bytes in flight.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/gpu.hpp"
#include "in_flight.hpp"
#include "launch_shape.hpp"
#include "unrolled.hpp"
#include "walk.hpp"

namespace roofline::measure {
namespace {

constexpr std::size_t kWidth = 4;  // floats per load
constexpr double kBytesOfLoad = kWidth * sizeof(float);
constexpr int kMostLoads = 4;
constexpr unsigned kMostThreads = 2048;  // per unit

struct InFlightShape {
  unsigned blocks_per_unit;
  unsigned block;
  int loads;
};
constexpr InFlightShape kInFlightShapes[] = {
    {1, 32, 1},  {1, 64, 1},  {1, 128, 1},  {1, 192, 1},  {1, 256, 1},  {1, 384, 1},
    {1, 512, 1}, {1, 768, 1}, {1, 1024, 1}, {1, 1024, 2}, {1, 1024, 4}, {2, 1024, 4}};

// Integers from 0 to 6. A thread's sum of each of the four stays below 2^24, so it is exact.
__host__ __device__ inline float value_at(std::size_t index) {
  return static_cast<float>(index % 7);
}

__global__ void values_kernel(float* x, std::size_t per_thread) {
  const Walk walk = walk_of_this_thread(per_thread);
  for (std::size_t k = 0; k < per_thread; ++k) {
    const std::size_t i = walk.first + k * walk.step;
    x[i] = value_at(i);
  }
}

template <int kLoads>
__global__ void in_flight_kernel(float* sums, const float* x, std::size_t count) {
  const std::size_t threads =
      static_cast<std::size_t>(gridDim.x) * static_cast<std::size_t>(blockDim.x);
  const std::size_t thread = index_of_this_thread();
  const float4* from = reinterpret_cast<const float4*>(x);
  float sum = 0;
  for (std::size_t i = thread; i + (kLoads - 1) * threads < count;) {
    float4 value[kLoads];
    unrolled<kLoads>([&](int u) { value[u] = from[i + static_cast<std::size_t>(u) * threads]; });
    float batch = 0;
    unrolled<kLoads>([&](int u) { batch += value[u].x + value[u].y + value[u].z + value[u].w; });
    sum += batch;
    // The sum is never negative, but the compiler cannot know that: the next address needs every
    // load.
    i += kLoads * threads + (batch < 0 ? 1 : 0);
  }
  sums[thread] = sum;
}

void run(float* sums, const float* x, std::size_t count, unsigned grid, unsigned block, int loads) {
  if (loads == 1) gpu::launch<in_flight_kernel<1>>(grid, block, sums, x, count);
  if (loads == 2) gpu::launch<in_flight_kernel<2>>(grid, block, sums, x, count);
  if (loads == 4) gpu::launch<in_flight_kernel<4>>(grid, block, sums, x, count);
}

std::size_t whole_rounds(double bytes, int units) {
  const std::size_t round = static_cast<std::size_t>(units) * kMostThreads * kMostLoads * kWidth;
  return std::max<std::size_t>(1, static_cast<std::size_t>(bytes / sizeof(float)) / round) * round;
}

}  // namespace

// A multiple of 3, so that 192, 384 and 768 threads take whole passes through the array too.
InFlight::InFlight(double bytes, int units)
    : units_(units), x_(3 * whole_rounds(bytes / 3, units)), sums_(units * kMostThreads) {
  const auto grid = static_cast<unsigned>(units);
  gpu::launch<values_kernel>(grid, 1024u, x_.data(), x_.size() / grid / 1024);
  gpu::synchronize();
}

std::vector<InFlightLoad> InFlight::loads() {
  std::vector<InFlightLoad> all;
  for (const InFlightShape& shape : kInFlightShapes) {
    InFlightLoad load;
    load.grid = shape.blocks_per_unit * static_cast<unsigned>(units_);
    load.block = shape.block;
    load.loads = shape.loads;
    load.bytes_per_unit = kBytesOfLoad * shape.blocks_per_unit * shape.block * shape.loads;
    load.amount = static_cast<double>(x_.size_bytes());
    load.description = LaunchShape{load.grid, load.block}.description() + ", " +
                       std::to_string(load.loads) + " loads each";
    load.launch = [=, sums = sums_.data(), x = x_.data(), count = x_.size() / kWidth] {
      run(sums, x, count, load.grid, load.block, load.loads);
    };
    all.push_back(std::move(load));
  }
  return all;
}

bool InFlight::sum_is_right(const InFlightLoad& load) {
  gpu::fill_bytes(sums_, 0xff);
  load.launch();
  const std::vector<float> sums = gpu::to_host(sums_);
  const std::size_t threads = static_cast<std::size_t>(load.grid) * load.block;
  const double found =
      std::accumulate(sums.begin(), sums.begin() + static_cast<long>(threads), 0.0);
  const auto elements = static_cast<double>(x_.size());
  const double turns = std::floor(elements / 7);
  const double rest = elements - 7 * turns;
  return found == 21 * turns + rest * (rest - 1) / 2;
}

}  // namespace roofline::measure
