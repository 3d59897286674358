// SPDX-License-Identifier: MIT
// GEMV with 8-bit weights and one scale a row, dequantised on the way into the product (W8A16).
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

//@solve 04.gemv_int8.kernel: write the kernel: sum q x over a row, and scale the sum once.
constexpr int kLanes = gpu::team_lanes(32);
// A core reads fastest what is one stretch of memory: row after row, four chains of sums in each.
constexpr int kPart = gpu::Features::kIsGpu ? 16 : 64;
constexpr int kThreads = gpu::Features::kIsGpu ? 128 : 4;
constexpr int kWide = 16;  // numbers of a load, which on a GPU must begin at a multiple
constexpr int kTurns = 4;
// Rows of a team: each input is loaded and converted once for both.
constexpr int kRows = gpu::Features::kIsGpu ? 2 : 1;

__global__ void gemv_int8_kernel(std::int64_t rows, std::int64_t columns,
                                 const std::int8_t* __restrict__ q,
                                 const float* __restrict__ scales, const __half* __restrict__ x,
                                 float* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t team =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  const std::int64_t first = team * kRows;
  if (first >= rows) return;
  const std::int8_t* row[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    // The last team may lack a row: it reads its first row again and drops the sum.
    row[i] = q + (first + i < rows ? first + i : first) * columns;
  }
  const std::int64_t wide = columns % kWide == 0 ? columns - columns % (kLanes * kPart) : 0;
  gpu::DotSum<kPart> products[kRows];
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
    if (lane == 0 && first + i < rows) y[first + i] = scales[first + i] * total;
  }
}
//@stub
//| __global__ void gemv_int8_kernel(std::int64_t rows, std::int64_t columns,
//|                                  const std::int8_t* __restrict__ q,
//|                                  const float* __restrict__ scales, const __half* __restrict__ x,
//|                                  float* __restrict__ y) {
//|   // The weights never exist as 16-bit numbers in memory: that would cost the traffic again.
//| }
//@end

/// y[r] = scales[r] * sum over c of q[r][c] x[c], on the device.
/// @param q y.size() rows of x.size() 8-bit weights
void gemv_int8(gpu::DeviceSpan<const std::int8_t> q, gpu::DeviceSpan<const float> scales,
               gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y) {
  //@solve 04.gemv_int8.kernel: launch it for y.size() rows and x.size() columns.
  const auto rows = static_cast<std::int64_t>(y.size());
  const auto columns = static_cast<std::int64_t>(x.size());
  const std::int64_t teams = (rows + kRows - 1) / kRows;
  gpu::launch<gemv_int8_kernel>(gpu::blocks_for(teams * kLanes, kThreads), kThreads, rows, columns,
                                q.data(), scales.data(), x.data(), y.data());
  //@stub
  //| harness::unsolved("04.gemv_int8.kernel", "topics/04-llm-inference/README.md#quantised");
  //@end
}

HARNESS_LAB(gemv_int8,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, size * size + (4 + 2 + 4) * size};
             },
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n * n : n; },
             .default_n = 8192});
