// SPDX-License-Identifier: MIT
// GEMV with weights and inputs in FP16, multiplied and added in FP32: half the bytes of FP32.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

//@solve 04.gemv_half.kernel: write the kernel: convert on the way in, add in FP32.
#include "gpu/packed/one_input.hpp"

constexpr int kLanes = gpu::team_lanes(32);
constexpr int kPart = gpu::Features::kIsGpu ? 8 : 32;
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 32;
constexpr int kWide = 8;  // numbers per load; on a GPU it must start at a multiple of these
constexpr int kTurns = 8;
constexpr int kLine = 64;  // numbers in 128 bytes
// Rows per team: each input is loaded and converted once for all of them.
constexpr int kRows = gpu::Features::kIsGpu ? 1 : 4;
constexpr int kChains = 2;  // independent sums of a row, on a CPU

__global__ void gemv_half_kernel(std::int64_t rows, std::int64_t columns,
                                 const __half* __restrict__ w, const __half* x,
                                 float* __restrict__ y) {
  gpu::let_next_kernel_begin();
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t team =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  const gpu::TeamRows<kRows> own(team, rows);
  if (!own.has(0)) return;
  const __half* row[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    // The last teams may lack a row: they read their first row again and drop the sum.
    row[i] = w + (own.has(i) ? own[i] : own[0]) * columns;
    // The kernel that makes the inputs may still be running, but the weights are ready.
    if (lane * kLine < columns) gpu::fetch_ahead(row[i] + lane * kLine);
  }
  gpu::wait_for_kernel_before();
  const std::int64_t wide = columns % kWide == 0 ? columns - columns % (kLanes * kPart) : 0;
  gpu::DotSum<kPart, kChains> products[kRows];
#pragma unroll kTurns
  for (std::int64_t c = lane * kPart; c < wide; c += kLanes * kPart) {
    float inputs[kPart];
    gpu::load_floats(x + c, inputs);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      float weights[kPart];
      gpu::load_floats(row[i] + c, weights);
      products[i].add(weights, inputs);
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    float sum = products[i].total();
    for (std::int64_t c = wide + lane; c < columns; c += kLanes) {
      sum = fmaf(gpu::to_float(row[i][c]), gpu::to_float(x[c]), sum);
    }
    const float total = gpu::team_sum<kLanes>(sum);
    if (lane == 0 && own.has(i)) y[own[i]] = total;
  }
}

// The product with one input on a GPU, which no exercise asks for: the engine uses it for steps of
// one token.
struct HalfMatrix {
  static constexpr int kColumns = kWide;
  static constexpr int kHeld = 8;
  static constexpr int kResident = 4;
  const __half* w;

  __device__ __forceinline__ gpu::RowPair load(std::int64_t first, std::int64_t columns,
                                               int column) const {
    return gpu::RowPair::load(w + first * columns + column, columns);
  }
  __device__ __forceinline__ static void add(gpu::PairSums& sums, const gpu::RowPair& weights,
                                             const gpu::OneInput<kColumns>& x) {
    sums.add(weights.first, weights.second, x.words[0]);
  }
  __device__ __forceinline__ static float factor(std::int64_t) { return 1; }
};

/// y = W x if the shape permits; otherwise does nothing and returns false.
bool gemv_half_one(gpu::DeviceSpan<const __half> w, gpu::DeviceSpan<const __half> x,
                   gpu::DeviceSpan<float> y) {
  return gpu::multiply_one_input(HalfMatrix{w.data()}, x, y);
}
//@stub
//| __global__ void gemv_half_kernel(std::int64_t rows, std::int64_t columns,
//|                                  const __half* __restrict__ w, const __half* __restrict__ x,
//|                                  float* __restrict__ y) {
//|   // A sum kept in __half stops growing at 2048 times its terms. __half2float converts.
//| }
//@end

/// y = W x on the device, FP32 sums of FP16 products.
/// @param w y.size() rows of x.size() columns, one row after the other
void gemv_half(gpu::DeviceSpan<const __half> w, gpu::DeviceSpan<const __half> x,
               gpu::DeviceSpan<float> y) {
  //@solve 04.gemv_half.kernel: launch it for y.size() rows and x.size() columns.
  const auto rows = static_cast<std::int64_t>(y.size());
  const auto columns = static_cast<std::int64_t>(x.size());
  gpu::launch_overlapping<gemv_half_kernel>(
      {.grid = gpu::blocks_for(gpu::TeamRows<kRows>::teams(rows) * kLanes, kThreads),
       .block = kThreads},
      rows, columns, w.data(), x.data(), y.data());
  //@stub
  //| harness::unsolved("04.gemv_half.kernel", "topics/04-llm-inference/README.md#gemv-half");
  //@end
}

HARNESS_LAB(gemv_half,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, 2 * (size * size + size) + 4 * size};
             },
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n * n : n; },
             .default_n = 8192});
