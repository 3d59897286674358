// SPDX-License-Identifier: MIT
// The product of a decode step of several sequences: each loaded weight serves the whole batch.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

//@solve 04.gemv_batch.kernel: write the kernel: each load of a row serves several inputs.
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 1;
constexpr int kResident = gpu::Features::kIsGpu ? 2 : 1;  // blocks per multiprocessor
// Rows of a block, and the number of inputs that it multiplies them with at a time: each load of
// one side serves the whole other side.
constexpr int kRows = gpu::Features::kIsGpu ? 32 : 4;
constexpr int kInputs = gpu::Features::kIsGpu ? 16 : 4;
constexpr int kHeld = kRows * kInputs / kThreads;  // results per thread
constexpr int kLine = 64;                          // numbers in 128 bytes

/// The rows or the inputs of a tile. Missing ones are replaced by the first, and what is computed
/// from them is dropped. (Addresses are computed when needed: pointers would take two registers
/// each.)
struct Lines {
  const __half* first;
  std::int64_t columns;
  int there;

  __device__ __forceinline__ const __half* line(int i) const {
    return first + (i < there ? i : 0) * columns;
  }

  /// Eight halves of line i from `column` on; zeros beyond its end.
  /// @tparam kIsWhole all eight exist, at an address that allows a load of 16 bytes
  /// @tparam kIsWeights nobody writes them, and nobody else on this multiprocessor needs them
  template <bool kIsWhole, bool kIsWeights>
  __device__ __forceinline__ uint4 eight(int i, std::int64_t column) const {
    const __half* const from = line(i) + column;
    if constexpr (kIsWhole) {
      const auto* const wide = reinterpret_cast<const uint4*>(from);
      return kIsWeights ? gpu::load_once_now(wide) : gpu::load_written(wide);
    } else {
      unsigned words[4];
      for (int k = 0; k < 8; k += 2) {
        const __half zero = __float2half(0.0f);
        words[k / 2] = gpu::word_of(__halves2half2(column + k < columns ? from[k] : zero,
                                                   column + k + 1 < columns ? from[k + 1] : zero));
      }
      return make_uint4(words[0], words[1], words[2], words[3]);
    }
  }
};

/// What a warp of a GPU multiplies in one turn: kTurn columns, all of whose loads are in flight
/// before the first is used.
constexpr int kSteps = 2;
constexpr int kTurn = kSteps * 32;
constexpr int kRowTiles = (kRows + 15) / 16;
constexpr int kInputTiles = (kInputs + 7) / 8;

template <class T>
struct WarpProducts {
  gpu::BatchDot<T> dots[kRowTiles][kInputTiles];

  template <bool kIsWhole>
  __device__ __forceinline__ void add(const Lines& rows, const Lines& inputs, std::int64_t begin) {
    const int line = static_cast<int>(threadIdx.x) % 32 / 4;
    const std::int64_t first = begin + static_cast<int>(threadIdx.x) % 4 * 8;
    uint4 weights[kSteps][2 * kRowTiles], x[kSteps][kInputTiles];
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int i = 0; i < 2 * kRowTiles; ++i) {
        weights[s][i] = rows.eight<kIsWhole, true>(line + 8 * i, first + 32 * s);
      }
#pragma unroll
      for (int b = 0; b < kInputTiles; ++b) {
        x[s][b] = inputs.eight<kIsWhole, false>(line + 8 * b, first + 32 * s);
      }
    }
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int i = 0; i < kRowTiles; ++i) {
#pragma unroll
        for (int b = 0; b < kInputTiles; ++b) {
          dots[i][b].add(weights[s][2 * i], weights[s][2 * i + 1], x[s][b]);
        }
      }
    }
  }

  /// Stores the sums to [kInputs][kRows].
  __device__ __forceinline__ void store(T* to) const {
    using Dot = gpu::BatchDot<T>;
#pragma unroll
    for (int i = 0; i < kRowTiles; ++i) {
#pragma unroll
      for (int b = 0; b < kInputTiles; ++b) {
        T held[Dot::kHeld];
        dots[i][b].totals(held);
#pragma unroll
        for (int k = 0; k < Dot::kHeld; ++k) {
          to[(8 * b + Dot::input(k)) * kRows + 16 * i + Dot::row(k)] = held[k];
        }
      }
    }
  }
};

/// The GPU version. The warps of a block share the columns, so that even few rows keep all of them
/// busy; their sums meet in shared memory.
template <class T>
__device__ __forceinline__ void multiply_in_warps(const Lines& rows, const Lines& inputs,
                                                  T (&sums)[kHeld]) {
  constexpr int kWarps = kThreads < 32 ? 1 : kThreads / 32;
  __shared__ T parts[kWarps][kRows * kInputs];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t columns = rows.columns;
  const std::int64_t wide = columns % 8 == 0 ? columns - columns % kTurn : 0;
  WarpProducts<T> products;
  for (std::int64_t c = thread / 32 * kTurn; c < columns; c += kWarps * kTurn) {
    if (c < wide) {
      products.template add<true>(rows, inputs, c);
    } else {
      products.template add<false>(rows, inputs, c);
    }
  }
  __syncthreads();  // the sums of the previous inputs have been read
  products.store(parts[thread / 32]);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    sums[k] = parts[0][k * kThreads + thread];
    for (int w = 1; w < kWarps; ++w) sums[k] += parts[w][k * kThreads + thread];
  }
}

constexpr int kPart = 16;  // columns that a CPU thread loads at a time

/// A running sum of products, in T if T counts.
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

/// The CPU version: a thread does all of it, with its sums in registers.
template <class T>
__device__ __forceinline__ void multiply_on_core(const Lines& rows, const Lines& inputs,
                                                 T (&sums)[kHeld]) {
  const std::int64_t columns = rows.columns;
  const std::int64_t wide = columns % kPart == 0 ? columns : 0;
  Products<T> products[kHeld];
#pragma unroll 1
  for (std::int64_t c = 0; c < wide; c += kPart) {
    float weights[kRows][kPart];
#pragma unroll
    for (int i = 0; i < kRows; ++i) gpu::load_floats(rows.line(i) + c, weights[i]);
#pragma unroll
    for (int b = 0; b < kInputs; ++b) {
      float x[kPart];
      gpu::load_floats(inputs.line(b) + c, x);
#pragma unroll
      for (int i = 0; i < kRows; ++i) products[b * kRows + i].add(weights[i], x);
    }
  }
#pragma unroll
  for (int s = 0; s < kHeld; ++s) {
    sums[s] = products[s].total();
    const __half* const row = rows.line(s % kRows);
    const __half* const input = inputs.line(s / kRows);
    for (std::int64_t c = wide; c < columns; ++c) {
      sums[s] = fmaf(T(gpu::to_float(row[c])), T(gpu::to_float(input[c])), sums[s]);
    }
  }
}

template <class T>
__global__ __launch_bounds__(kThreads, kResident) void gemv_batch_kernel(
    std::int64_t batch, std::int64_t rows, std::int64_t columns, const __half* __restrict__ w,
    const __half* x, T* __restrict__ y) {
  gpu::let_next_kernel_begin();
  const std::int64_t first = std::int64_t{blockIdx.x} * kRows;
  const auto least = [](std::int64_t count, int most) {
    return count < most ? static_cast<int>(count) : most;
  };
  const Lines own{w + first * columns, columns, least(rows - first, kRows)};
  // The kernel that makes the inputs may still be running, but the weights are ready.
  const int thread = static_cast<int>(threadIdx.x);
  if (thread / kRows * kLine < columns) {
    gpu::fetch_ahead(own.line(thread % kRows) + thread / kRows * kLine);
  }
  gpu::wait_for_kernel_before();
#pragma unroll 1
  for (std::int64_t begin = 0; begin < batch; begin += kInputs) {
    const Lines inputs{x + begin * columns, columns, least(batch - begin, kInputs)};
    T sums[kHeld];
    if constexpr (gpu::Features::kIsGpu) {
      multiply_in_warps(own, inputs, sums);
    } else {
      multiply_on_core(own, inputs, sums);
    }
#pragma unroll
    for (int held = 0; held < kHeld; ++held) {
      const int i = (held * kThreads + static_cast<int>(threadIdx.x)) % kRows;
      const int b = (held * kThreads + static_cast<int>(threadIdx.x)) / kRows;
      if (i < own.there && b < inputs.there) y[(begin + b) * rows + first + i] = sums[held];
    }
  }
}
//@stub
//| // One team per row and input would load every weight once for each sequence. Keep the sums
//| // of several rows and several inputs, and use each load for all of them.
//@end

/// y[b] = W x[b] for each input b of a batch, FP32 sums of FP16 products.
/// @param batch number of inputs; w, x and y are empty only if it or their other size is 0
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
  gpu::launch_overlapping<gemv_batch_kernel<T>>(
      {.grid = gpu::blocks_for(rows, kRows), .block = kThreads}, batch, rows, columns, w.data(),
      x.data(), y.data());
  //@stub
  //| harness::unsolved("04.gemv_batch.kernel", "topics/04-llm-inference/README.md#gemv-batch");
  //@end
}

// The engine uses this instance from another file.
template void gemv_batch<float>(std::int64_t batch, gpu::DeviceSpan<const __half> w,
                                gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y);

// n sequences and one matrix too large for any cache: the gate and up matrices of Llama-3-8B on a
// GPU.
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
