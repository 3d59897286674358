// SPDX-License-Identifier: MIT
// The product of a decode step of several sequences: each loaded weight serves the whole batch.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

//@solve 04.gemv_batch.kernel: write the kernel: what is loaded of a row serves several inputs.
constexpr int kLanes = gpu::team_lanes(32);
constexpr int kPart = gpu::Features::kIsGpu ? 8 : 16;
constexpr int kThreads = gpu::Features::kIsGpu ? 128 : 1;
// Rows of a team, and the inputs it multiplies them with at a time. Each product's sum is in
// registers, and a load of either side serves all of the other.
constexpr int kRows = 4;
constexpr int kInputs = gpu::Features::kIsGpu ? 16 : 4;
constexpr int kResident = gpu::Features::kIsGpu ? 2 : 1;  // blocks of a multiprocessor at once

/// A running sum of products, in T where that counts.
template <class T>
struct Products {
  T sum = 0;

  __device__ __forceinline__ void add(const float (&a)[kPart], const float (&b)[kPart]) {
    for (int k = 0; k < kPart; ++k) sum = fmaf(T(a[k]), T(b[k]), sum);
  }
  __device__ __forceinline__ T total() const { return sum; }
};
template <>
struct Products<float> : gpu::DotSum<kPart> {};

/// The rows or the inputs of a tile. Those that are not there are the first again, and what is
/// computed with them is dropped. (Addresses are computed when they are needed: pointers would take
/// two registers each.)
struct Lines {
  const __half* first;
  std::int64_t columns;
  int there;

  __device__ __forceinline__ const __half* line(int i) const {
    return first + (i < there ? i : 0) * columns;
  }
};

/// sums[i * kInputs + b] = row i times input b over this lane's columns.
template <class T>
__device__ __forceinline__ void multiply(const Lines& rows, const Lines& inputs, int lane,
                                         T (&sums)[kRows * kInputs]) {
  const std::int64_t columns = rows.columns;
  const std::int64_t wide = columns % kPart == 0 ? columns : 0;
  Products<T> products[kRows * kInputs];
#pragma unroll 1
  for (std::int64_t c = lane * kPart; c < wide; c += kLanes * kPart) {
    float weights[kRows][kPart];
#pragma unroll
    for (int i = 0; i < kRows; ++i) gpu::load_floats(rows.line(i) + c, weights[i]);
#pragma unroll
    for (int b = 0; b < kInputs; ++b) {
      float x[kPart];
      gpu::load_floats(inputs.line(b) + c, x);
#pragma unroll
      for (int i = 0; i < kRows; ++i) products[i * kInputs + b].add(weights[i], x);
    }
  }
#pragma unroll
  for (int s = 0; s < kRows * kInputs; ++s) {
    sums[s] = products[s].total();
    const __half* const row = rows.line(s / kInputs);
    const __half* const input = inputs.line(s % kInputs);
    for (std::int64_t c = wide + lane; c < columns; c += kLanes) {
      sums[s] = fmaf(T(gpu::to_float(row[c])), T(gpu::to_float(input[c])), sums[s]);
    }
  }
}

template <class T>
__global__ __launch_bounds__(kThreads, kResident) void gemv_batch_kernel(
    std::int64_t batch, std::int64_t rows, std::int64_t columns, const __half* __restrict__ w,
    const __half* __restrict__ x, T* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t first =
      (std::int64_t{blockIdx.x} * kThreads + static_cast<int>(threadIdx.x)) / kLanes * kRows;
  if (first >= rows) return;
  const auto least = [](std::int64_t count, int most) {
    return count < most ? static_cast<int>(count) : most;
  };
  const Lines own{w + first * columns, columns, least(rows - first, kRows)};
#pragma unroll 1
  for (std::int64_t begin = 0; begin < batch; begin += kInputs) {
    const Lines inputs{x + begin * columns, columns, least(batch - begin, kInputs)};
    T sums[kRows * kInputs];
    multiply(own, inputs, lane, sums);
    gpu::team_sums<kLanes>(sums);
    constexpr int kHeld = kRows * kInputs / kLanes;  // sums that a lane holds now
#pragma unroll
    for (int held = 0; held < kHeld; ++held) {
      const int i = (lane * kHeld + held) / kInputs;
      const int b = (lane * kHeld + held) % kInputs;
      if (i < own.there && b < inputs.there) y[(begin + b) * rows + first + i] = sums[held];
    }
  }
}
//@stub
//| // One team for a row and an input would load every weight once for each sequence. Keep the sums
//| // of several rows and several inputs, and use each load for all that it belongs to.
//@end

/// y[b] = W x[b] for each input b of a batch, FP32 sums of FP16 products.
/// @param batch inputs; w, x and y are empty only where it or their other size is 0
/// @param w [rows][columns]
/// @param x [batch][columns]
/// @param y [batch][rows]
template <class T>
void gemv_batch(std::int64_t batch, gpu::DeviceSpan<const __half> w,
                gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<T> y) {
  //@solve 04.gemv_batch.kernel: launch it for the rows of w.
  if (y.empty()) return;
  const auto rows = static_cast<std::int64_t>(y.size()) / batch;
  const auto columns = static_cast<std::int64_t>(x.size()) / batch;
  const std::int64_t teams = (rows + kRows - 1) / kRows;
  gpu::launch<gemv_batch_kernel<T>>(gpu::blocks_for(teams * kLanes, kThreads), kThreads, batch,
                                    rows, columns, w.data(), x.data(), y.data());
  //@stub
  //| harness::unsolved("04.gemv_batch.kernel", "topics/04-llm-inference/README.md#gemv-batch");
  //@end
}

// The engine calls this instance from another file.
template void gemv_batch<float>(std::int64_t batch, gpu::DeviceSpan<const __half> w,
                                gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y);

// n sequences and one matrix that no cache holds: the gate and up matrices of Llama-3-8B on a GPU.
constexpr std::int64_t kOut = gpu::Features::kIsGpu ? 28672 : 16384;
constexpr std::int64_t kIn = 4096;

HARNESS_COUNTED_LAB(
    gemv_batch, float,
    {.work = [](std::int64_t n) -> harness::Work {
       const auto batch = static_cast<double>(n);
       return {2.0 * kIn * kOut * batch, 2.0 * kIn * kOut + batch * (2.0 * kIn + 4.0 * kOut)};
     },
     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
       const std::int64_t sizes[] = {kOut * kIn, n * kIn, n * kOut};
       return sizes[buffer];
     },
     .integer_scalar = [](std::int64_t n, int) { return n; },
     .default_n = 16});
