// SPDX-License-Identifier: MIT
// The products of a mixture of experts: rows sorted by expert, each expert's weights for its rows.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/async_copy.hpp"
#include "gpu/gpu.hpp"
#include "gpu/tile.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

//@solve 04.moe_product.kernel: write the kernel: one block per expert and group of outputs.
namespace tile = gpu::tile;

constexpr int kWarps = gpu::Features::kIsGpu ? 4 : 1;
constexpr int kThreads = kWarps * tile::kLanes;
/// Outputs and rows per block; each of its warps has 16 of the outputs, a CPU thread has all.
constexpr int kOutputs = 64;
constexpr int kOutputTiles = kOutputs / kWarps / tile::kSide;
constexpr int kRowTiles = 4;
constexpr int kRows = kRowTiles * tile::kSide;
constexpr int kDepth = 64;           // inputs per turn
constexpr int kStride = kDepth + 8;  // 16 bytes of each of eight rows cover every bank once

/// Starts copying kDepth numbers of 64 rows, of which `there` exist with `left` numbers each.
__device__ __forceinline__ void copy_tile(__nv_bfloat16* to, const __nv_bfloat16* from, int width,
                                          std::int64_t there, int left) {
  constexpr int kPieces = kDepth / 8;  // of 16 bytes
  for (int i = static_cast<int>(threadIdx.x); i < 64 * kPieces; i += kThreads) {
    const int row = i / kPieces;
    const int column = i % kPieces * 8;
    const bool is_there = row < there && column < left;
    gpu::copy_async(to + row * kStride + column,
                    from + (is_there ? std::int64_t{row} * width + column : 0), is_there);
  }
}

/// Block (o, e): the outputs from o * kOutputs on for all rows of expert e.
template <class T>
__global__ __launch_bounds__(kThreads) void moe_product_kernel(
    int in, int out, const std::int32_t* __restrict__ offsets, const __nv_bfloat16* __restrict__ x,
    const __nv_bfloat16* __restrict__ w, T* __restrict__ y) {
  static_assert(kRows == 64 && kOutputs == 64, "copy_tile has 64 rows");
  auto* const tiles = gpu::dynamic_shared<__nv_bfloat16>();  // rows, weights, rows, weights
  const int expert = static_cast<int>(blockIdx.y);
  const int first_output = static_cast<int>(blockIdx.x) * kOutputs;
  const std::int64_t end = offsets[expert + 1];
  const __nv_bfloat16* const weights = w + (std::int64_t{expert} * out + first_output) * in;
  const int warp_output = static_cast<int>(threadIdx.x) / tile::kLanes * (kOutputs / kWarps);
  // An expert without rows takes no turn, and its weights are not read.
  for (std::int64_t first = offsets[expert]; first < end; first += kRows) {
    const auto copy = [&](int begin) {
      __nv_bfloat16* const to = tiles + begin / kDepth % 2 * (kRows + kOutputs) * kStride;
      copy_tile(to, x + first * in + begin, in, end - first, in - begin);
      copy_tile(to + kRows * kStride, weights + begin, in, out - first_output, in - begin);
      gpu::commit_copies();
    };
    tile::Sum<T> sum[kRowTiles][kOutputTiles];
    __syncthreads();  // the tiles of the previous rows are no longer needed
    copy(0);
    for (int begin = 0; begin < in; begin += kDepth) {
      gpu::wait_copies<0>();
      __syncthreads();  // these tiles are complete, and the previous ones are no longer needed
      if (begin + kDepth < in) copy(begin + kDepth);
      const __nv_bfloat16* const rows = tiles + begin / kDepth % 2 * (kRows + kOutputs) * kStride;
      const __nv_bfloat16* const own = rows + (kRows + warp_output) * kStride;
#pragma unroll
      for (int d = 0; d < kDepth; d += tile::kSide) {
        tile::Right weight[kOutputTiles];
#pragma unroll
        for (int o = 0; o < kOutputTiles; ++o) {
          weight[o].load_columns(own + o * tile::kSide * kStride + d, kStride);
        }
#pragma unroll
        for (int t = 0; t < kRowTiles; ++t) {
          if (first + t * tile::kSide >= end) break;
          tile::Left row;
          row.load(rows + t * tile::kSide * kStride + d, kStride);
#pragma unroll
          for (int o = 0; o < kOutputTiles; ++o) sum[t][o].add(row, weight[o]);
        }
      }
    }
#pragma unroll
    for (int t = 0; t < kRowTiles; ++t) {
#pragma unroll
      for (int r = 0; r < tile::Sum<T>::rows(); ++r) {
        const std::int64_t row = first + t * tile::kSide + tile::Sum<T>::row(r);
        if (row >= end) continue;
#pragma unroll
        for (int o = 0; o < kOutputTiles; ++o) {
#pragma unroll
          for (int c = 0; c < tile::Sum<T>::kColumns; ++c) {
            const int output =
                first_output + warp_output + o * tile::kSide + tile::Sum<T>::column(c);
            if (output < out) y[row * out + output] = sum[t][o].at(r, c);
          }
        }
      }
    }
  }
}
//@stub
//| // Rows offsets[e] ... offsets[e + 1] - 1 belong to expert e; there may be none. Each load of
//| // its weights should serve all of them.
//@end

/// y[r] = w[e] x[r] for the rows r of each expert e, in FP32.
/// @param in, out numbers in a row of x and of y; in is a multiple of 8
/// @param offsets [experts + 1]; expert e has the rows offsets[e] ... offsets[e + 1] - 1
/// @param x [rows][in], sorted by expert
/// @param w [experts][out][in]
/// @param y [rows][out]
template <class T>
void moe_product(int in, int out, gpu::DeviceSpan<const std::int32_t> offsets,
                 gpu::DeviceSpan<const __nv_bfloat16> x, gpu::DeviceSpan<const __nv_bfloat16> w,
                 gpu::DeviceSpan<T> y) {
  //@solve 04.moe_product.kernel: launch it for all experts.
  const dim3 grid(gpu::blocks_for(out, kOutputs), static_cast<unsigned>(offsets.size() - 1));
  constexpr std::size_t kTiles = 2 * (kRows + kOutputs) * kStride;
  gpu::launch<moe_product_kernel<T>>(
      {.grid = grid, .block = kThreads, .shared_bytes = kTiles * sizeof(__nv_bfloat16)}, in, out,
      offsets.data(), x.data(), w.data(), y.data());
  //@stub
  //| harness::unsolved("04.moe_product.kernel", "topics/04-llm-inference/README.md#moe-product");
  //@end
}

// The gate and up matrices of one layer of Qwen3-30B-A3B (on a CPU an eighth of its experts), and n
// rows for each expert.
constexpr std::int64_t kExperts = gpu::Features::kIsGpu ? 128 : 16;
constexpr std::int64_t kIn = 2048;
constexpr std::int64_t kOut = 1536;

HARNESS_COUNTED_LAB(moe_product, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto rows = static_cast<double>(n * kExperts);
                       return {2.0 * kIn * kOut * rows,
                               2.0 * kExperts * kIn * kOut + rows * (2.0 * kIn + 4.0 * kOut)};
                     },
                     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
                       const std::int64_t sizes[] = {kExperts + 1, n * kExperts * kIn,
                                                     kExperts * kIn * kOut, n * kExperts * kOut};
                       return sizes[buffer];
                     },
                     .integer_scalar = [](std::int64_t, int scalar) -> std::int64_t {
                       return scalar == 0 ? kIn : kOut;
                     },
                     .integer_element = [](std::int64_t n, int,
                                           std::int64_t index) { return n * index; },
                     .default_n = 4});
