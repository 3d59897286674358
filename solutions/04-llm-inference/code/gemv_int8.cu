// SPDX-License-Identifier: MIT
// GEMV with 8-bit weights and one scale per row, dequantised on the way into the product (W8A16).
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

//@solve 04.gemv_int8.kernel: write the kernel: sum q x over a row, and scale the sum once.
#include "gpu/packed/one_input.hpp"

constexpr int kLanes = gpu::team_lanes(32);
constexpr int kPart = gpu::Features::kIsGpu ? 16 : 32;
constexpr int kThreads = gpu::Features::kIsGpu ? 128 : 32;
constexpr int kWide = 16;  // numbers per load; on a GPU it must start at a multiple of these
constexpr int kTurns = 4;
constexpr int kLine = 128;  // numbers in 128 bytes
// Rows per team: each input is loaded and converted once for all of them.
constexpr int kRows = gpu::Features::kIsGpu ? 2 : 4;
constexpr int kChains = 2;  // independent sums of a row, on a CPU

__global__ void gemv_int8_kernel(std::int64_t rows, std::int64_t columns,
                                 const std::int8_t* __restrict__ q,
                                 const float* __restrict__ scales, const __half* x,
                                 float* __restrict__ y) {
  gpu::let_next_kernel_begin();
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t team =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  const gpu::TeamRows<kRows> own(team, rows);
  if (!own.has(0)) return;
  const std::int8_t* row[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    // The last teams may lack a row: they read their first row again and drop the sum.
    row[i] = q + (own.has(i) ? own[i] : own[0]) * columns;
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
    if (lane == 0 && own.has(i)) y[own[i]] = scales[own[i]] * total;
  }
}

// The product with a batch, which no exercise asks for: the engine calls gemv_int8_batch() if a
// step has several tokens, so that each loaded weight serves all of them. It works as in
// gemv_batch.cu, and converts the weights to halves in registers.
constexpr int kBatchThreads = gpu::Features::kIsGpu ? 256 : 1;
constexpr int kBatchResident = gpu::Features::kIsGpu ? 2 : 1;  // blocks per multiprocessor
constexpr int kBatchRows = gpu::Features::kIsGpu ? 32 : 4;
constexpr int kBatchInputs = gpu::Features::kIsGpu ? 16 : 4;
constexpr int kBatchHeld = kBatchRows * kBatchInputs / kBatchThreads;  // results per thread

/// The rows or the inputs of a tile. Missing ones are replaced by the first, and what is computed
/// from them is dropped.
template <class T>
struct Lines {
  const T* first;
  std::int64_t columns;
  int there;

  __device__ __forceinline__ const T* line(int i) const {
    return first + (i < there ? i : 0) * columns;
  }

  /// The 16 bytes of line i from `column` on; zeros beyond its end.
  /// @tparam kIsWhole all of them exist, at an address that allows a load of 16 bytes
  /// @tparam kIsWeights nobody writes them, and nobody else on this multiprocessor needs them
  template <bool kIsWhole, bool kIsWeights>
  __device__ __forceinline__ uint4 load(int i, std::int64_t column) const {
    constexpr int kCount = 16 / static_cast<int>(sizeof(T));
    const T* const from = line(i) + column;
    if constexpr (kIsWhole) {
      const auto* const wide = reinterpret_cast<const uint4*>(from);
      return kIsWeights ? gpu::load_once_now(wide) : gpu::load_written(wide);
    } else {
      unsigned words[4] = {};
      for (int k = 0; k < kCount; ++k) {
        if (column + k < columns) words[k * 4 / kCount] |= bits(from[k]) << k * 128 / kCount % 32;
      }
      return make_uint4(words[0], words[1], words[2], words[3]);
    }
  }

 private:
  __device__ __forceinline__ static unsigned bits(std::int8_t x) {
    return static_cast<std::uint8_t>(x);
  }
  __device__ __forceinline__ static unsigned bits(__half x) { return __half_as_ushort(x); }
};

/// The eight weights of two words as halves: a byte in the low bits of the half 1024 is 1024 +
/// byte; flipping its sign bit first adds 128.
__device__ __forceinline__ uint4 eight_halves(unsigned low, unsigned high) {
  const __half2 offset = __floats2half2_rn(-1152.0f, -1152.0f);
  const auto pair = [offset](unsigned word, unsigned places) {
    const unsigned biased = __byte_perm(word ^ 0x80808080u, 0x64646464u, places);
    return gpu::word_of(__hadd2(gpu::half2_of(biased), offset));
  };
  return make_uint4(pair(low, 0x4140), pair(low, 0x4342), pair(high, 0x4140), pair(high, 0x4342));
}

/// What a warp of a GPU multiplies in one turn: all loads of weights are in flight before the first
/// is used.
constexpr int kSteps = 2;
constexpr int kStep = 64;  // columns: four lanes, 16 bytes each
constexpr int kBatchTurn = kSteps * kStep;
constexpr int kRowTiles = (kBatchRows + 15) / 16;
constexpr int kInputTiles = (kBatchInputs + 7) / 8;

struct ByteProducts {
  gpu::BatchDot<float> dots[kRowTiles][kInputTiles];

  template <bool kIsWhole>
  __device__ __forceinline__ void add(const Lines<std::int8_t>& rows, const Lines<__half>& inputs,
                                      std::int64_t begin) {
    const int line = static_cast<int>(threadIdx.x) % 32 / 4;
    const std::int64_t first = begin + static_cast<int>(threadIdx.x) % 4 * 16;
    uint4 weights[kSteps][2 * kRowTiles];
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int i = 0; i < 2 * kRowTiles; ++i) {
        weights[s][i] = rows.template load<kIsWhole, true>(line + 8 * i, first + kStep * s);
      }
    }
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      uint4 x[2][kInputTiles];  // of the first eight columns, and of the others
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int b = 0; b < kInputTiles; ++b) {
          x[half][b] =
              inputs.template load<kIsWhole, false>(line + 8 * b, first + kStep * s + 8 * half);
        }
      }
#pragma unroll
      for (int i = 0; i < kRowTiles; ++i) {
        add_columns(i, eight_halves(weights[s][2 * i].x, weights[s][2 * i].y),
                    eight_halves(weights[s][2 * i + 1].x, weights[s][2 * i + 1].y), x[0]);
        add_columns(i, eight_halves(weights[s][2 * i].z, weights[s][2 * i].w),
                    eight_halves(weights[s][2 * i + 1].z, weights[s][2 * i + 1].w), x[1]);
      }
    }
  }

  /// Stores the sums to [kBatchInputs][kBatchRows].
  __device__ __forceinline__ void store(float* to) const {
    using Dot = gpu::BatchDot<float>;
#pragma unroll
    for (int i = 0; i < kRowTiles; ++i) {
#pragma unroll
      for (int b = 0; b < kInputTiles; ++b) {
        float held[Dot::kHeld];
        dots[i][b].totals(held);
#pragma unroll
        for (int k = 0; k < Dot::kHeld; ++k) {
          to[(8 * b + Dot::input(k)) * kBatchRows + 16 * i + Dot::row(k)] = held[k];
        }
      }
    }
  }

 private:
  __device__ __forceinline__ void add_columns(int i, const uint4& first, const uint4& second,
                                              const uint4 (&x)[kInputTiles]) {
#pragma unroll
    for (int b = 0; b < kInputTiles; ++b) dots[i][b].add(first, second, x[b]);
  }
};

/// The GPU version. The warps of a block share the columns, so that even few rows keep all of them
/// busy; their sums meet in shared memory.
template <class X>
__device__ __forceinline__ void multiply_in_warps(const Lines<std::int8_t>& rows,
                                                  const Lines<X>& inputs,
                                                  float (&sums)[kBatchHeld]) {
  constexpr int kWarps = kBatchThreads < 32 ? 1 : kBatchThreads / 32;
  __shared__ float parts[kWarps][kBatchRows * kBatchInputs];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t columns = rows.columns;
  const std::int64_t wide = columns % kWide == 0 ? columns - columns % kBatchTurn : 0;
  ByteProducts products;
  for (std::int64_t c = thread / 32 * kBatchTurn; c < columns; c += kWarps * kBatchTurn) {
    if (c < wide) {
      products.add<true>(rows, inputs, c);
    } else {
      products.add<false>(rows, inputs, c);
    }
  }
  __syncthreads();  // the sums of the previous inputs have been read
  products.store(parts[thread / 32]);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kBatchHeld; ++k) {
    sums[k] = parts[0][k * kBatchThreads + thread];
    for (int w = 1; w < kWarps; ++w) sums[k] += parts[w][k * kBatchThreads + thread];
  }
}

/// The CPU version, with the sums in registers.
template <class X>
__device__ __forceinline__ void multiply_on_core(const Lines<std::int8_t>& rows,
                                                 const Lines<X>& inputs,
                                                 float (&sums)[kBatchHeld]) {
  constexpr int kColumns = 16;  // loaded at a time
  const std::int64_t wide = rows.columns - rows.columns % kColumns;
  gpu::DotSum<kColumns> products[kBatchHeld];
#pragma unroll 1
  for (std::int64_t c = 0; c < wide; c += kColumns) {
    float weights[kBatchRows][kColumns];
#pragma unroll
    for (int i = 0; i < kBatchRows; ++i) gpu::load_floats(rows.line(i) + c, weights[i]);
#pragma unroll
    for (int b = 0; b < kBatchInputs; ++b) {
      float x[kColumns];
      gpu::load_floats(inputs.line(b) + c, x);
#pragma unroll
      for (int i = 0; i < kBatchRows; ++i) products[b * kBatchRows + i].add(weights[i], x);
    }
  }
#pragma unroll
  for (int s = 0; s < kBatchHeld; ++s) {
    sums[s] = products[s].total();
    const std::int8_t* const row = rows.line(s % kBatchRows);
    const X* const input = inputs.line(s / kBatchRows);
    for (std::int64_t c = wide; c < rows.columns; ++c) {
      sums[s] = fmaf(gpu::to_float(row[c]), gpu::to_float(input[c]), sums[s]);
    }
  }
}

template <class X>
__global__ __launch_bounds__(kBatchThreads, kBatchResident) void gemv_int8_batch_kernel(
    std::int64_t batch, std::int64_t rows, std::int64_t columns, const std::int8_t* __restrict__ q,
    const float* __restrict__ scales, const X* x, float* __restrict__ y) {
  gpu::let_next_kernel_begin();
  const std::int64_t first = std::int64_t{blockIdx.x} * kBatchRows;
  const auto least = [](std::int64_t count, int most) {
    return count < most ? static_cast<int>(count) : most;
  };
  const Lines<std::int8_t> own{q + first * columns, columns, least(rows - first, kBatchRows)};
  const int thread = static_cast<int>(threadIdx.x);
  if (thread / kBatchRows * kLine < columns) {
    gpu::fetch_ahead(own.line(thread % kBatchRows) + thread / kBatchRows * kLine);
  }
  gpu::wait_for_kernel_before();
#pragma unroll 1
  for (std::int64_t begin = 0; begin < batch; begin += kBatchInputs) {
    const Lines<X> inputs{x + begin * columns, columns, least(batch - begin, kBatchInputs)};
    float sums[kBatchHeld];
    if constexpr (gpu::Features::kIsGpu) {
      multiply_in_warps(own, inputs, sums);
    } else {
      multiply_on_core(own, inputs, sums);
    }
#pragma unroll
    for (int held = 0; held < kBatchHeld; ++held) {
      const int i = (held * kBatchThreads + static_cast<int>(threadIdx.x)) % kBatchRows;
      const int b = (held * kBatchThreads + static_cast<int>(threadIdx.x)) / kBatchRows;
      if (i < own.there && b < inputs.there) {
        y[(begin + b) * rows + first + i] = scales[first + i] * sums[held];
      }
    }
  }
}

/// y[b] is what gemv_int8() computes from x[b], for each input b of a batch.
/// @param x [batch][columns]
/// @param y [batch][rows]
void gemv_int8_batch(std::int64_t batch, gpu::DeviceSpan<const std::int8_t> q,
                     gpu::DeviceSpan<const float> scales, gpu::DeviceSpan<const __half> x,
                     gpu::DeviceSpan<float> y) {
  if (y.empty()) return;
  const auto rows = static_cast<std::int64_t>(y.size()) / batch;
  const auto columns = static_cast<std::int64_t>(x.size()) / batch;
  gpu::launch_overlapping<gemv_int8_batch_kernel<__half>>(
      {.grid = gpu::blocks_for(rows, kBatchRows), .block = kBatchThreads}, batch, rows, columns,
      q.data(), scales.data(), x.data(), y.data());
}

// The product with one input on a GPU, which no exercise asks for either: the engine uses it for
// steps of one token.
struct ByteMatrix {
  static constexpr int kColumns = kWide;
  static constexpr int kHeld = 4;
  static constexpr int kResident = 5;
  const std::int8_t* q;
  const float* scales;

  __device__ __forceinline__ gpu::RowPair load(std::int64_t first, std::int64_t columns,
                                               int column) const {
    return gpu::RowPair::load(q + first * columns + column, columns);
  }
  __device__ __forceinline__ static void add(gpu::PairSums& sums, const gpu::RowPair& weights,
                                             const gpu::OneInput<kColumns>& x) {
    const uint4 &first = weights.first, &second = weights.second;
    sums.add(eight_halves(first.x, first.y), eight_halves(second.x, second.y), x.words[0]);
    sums.add(eight_halves(first.z, first.w), eight_halves(second.z, second.w), x.words[1]);
  }
  __device__ __forceinline__ float factor(std::int64_t r) const { return scales[r]; }
};

/// y = W x if the shape permits; otherwise does nothing and returns false.
bool gemv_int8_one(gpu::DeviceSpan<const std::int8_t> q, gpu::DeviceSpan<const float> scales,
                   gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y) {
  return gpu::multiply_one_input(ByteMatrix{q.data(), scales.data()}, x, y);
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
  const std::int64_t teams = gpu::TeamRows<kRows>::teams(rows);
  gpu::launch_overlapping<gemv_int8_kernel>(
      {.grid = gpu::blocks_for(teams * kLanes, kThreads), .block = kThreads}, rows, columns,
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
