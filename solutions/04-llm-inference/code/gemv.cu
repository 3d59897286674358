// SPDX-License-Identifier: MIT
// GEMV, y = W x, in 32-bit floats: the operation of decode, every weight used once.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/lab.hpp"

//@solve 04.gemv.kernel: write the kernel: y[r] is row r of W times x.
constexpr int kLanes = gpu::team_lanes(32);            // lanes that share a row
constexpr int kPart = gpu::Features::kIsGpu ? 4 : 64;  // columns per lane and turn
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 4;
constexpr int kTurns = 4;  // loads in flight before the first is used

__global__ void gemv_kernel(std::int64_t rows, std::int64_t columns, const float* __restrict__ w,
                            const float* __restrict__ x, float* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t r =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  if (r >= rows) return;
  const float* row = w + r * columns;
  // If the length is not a multiple, not all rows start at a multiple of 16 bytes.
  const std::int64_t wide = columns % kPart == 0 ? columns - columns % (kLanes * kPart) : 0;
  gpu::DotSum<kPart> products;
#pragma unroll kTurns
  for (std::int64_t c = lane * kPart; c < wide; c += kLanes * kPart) {
    float weights[kPart];
    float inputs[kPart];
    gpu::load_floats(row + c, weights);
    gpu::load_floats(x + c, inputs);
    products.add(weights, inputs);
  }
  float sum = products.total();
  for (std::int64_t c = wide + lane; c < columns; c += kLanes) sum = fmaf(row[c], x[c], sum);
  sum = gpu::team_sum<kLanes>(sum);
  if (lane == 0) y[r] = sum;
}
//@stub
//| __global__ void gemv_kernel(std::int64_t rows, std::int64_t columns,
//|                             const float* __restrict__ w, const float* __restrict__ x,
//|                             float* __restrict__ y) {
//|   // Element (r, c) of W is w[r * columns + c].
//| }
//@end

/// y = W x on the device.
/// @param w y.size() rows of x.size() columns, one row after the other
/// @param x input vector
/// @param y output vector; with no columns it becomes 0
void gemv(gpu::DeviceSpan<const float> w, gpu::DeviceSpan<const float> x,
          gpu::DeviceSpan<float> y) {
  //@solve 04.gemv.kernel: launch it for y.size() rows and x.size() columns.
  const auto rows = static_cast<std::int64_t>(y.size());
  const auto columns = static_cast<std::int64_t>(x.size());
  gpu::launch<gemv_kernel>(gpu::blocks_for(rows * kLanes, kThreads), kThreads, rows, columns,
                           w.data(), x.data(), y.data());
  //@stub
  //| harness::unsolved("04.gemv.kernel", "topics/04-llm-inference/README.md#gemv");
  //@end
}

HARNESS_LAB(gemv,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, 4 * (size * size + 2 * size)};
             },
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n * n : n; },
             .default_n = 8192});
