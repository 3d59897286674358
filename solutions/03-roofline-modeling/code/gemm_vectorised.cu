// SPDX-License-Identifier: MIT
// Matrix product, fourth rung: tiles in shared memory, results in registers, 16-byte loads, and
// double buffering, so that the next tile is in flight while this one is multiplied.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

// A block computes kBlockM x kBlockN of C in steps of kBlockK. A thread computes kPieceM x kPieceN
// pieces, each of kHeight rows of one pack; the pieces of the kLanesM x kLanesN threads of a warp
// interleave, so that a warp reads adjacent packs of a tile, or the same one. A GPU needs many
// threads and has little shared memory. On a CPU threads take turns at a barrier and a tile is a
// copy in the core's own cache: larger tiles mean fewer turns and fewer copies.
template <class T>
struct Shape {
  static constexpr bool kGpu = gpu::Features::kIsGpu;
  static constexpr int kWidth = gpu::kPackWidth<T>;
  static constexpr int kHeight = kGpu ? 4 : 6;
  static constexpr int kPieceM = kGpu ? 2 : 1;
  static constexpr int kPieceN = 2;
  static constexpr int kLanesM = kGpu ? 4 : 1;
  static constexpr int kLanesN = kGpu ? 8 : 1;
  static constexpr int kRows = kPieceM * kHeight;    // per thread
  static constexpr int kColumns = kPieceN * kWidth;  // per thread
  static constexpr int kBlockM = kGpu ? 128 : 96;
  static constexpr int kBlockN = kGpu ? 128 : 64;
  static constexpr int kBlockK = kGpu ? 16 : 128;
  static constexpr int kThreads = (kBlockM / kRows) * (kBlockN / kColumns);
  static constexpr int kPacksOfA = kBlockM * kBlockK / (kWidth * kThreads);
  static constexpr int kPacksOfB = kBlockK * kBlockN / (kWidth * kThreads);
  static_assert(kPacksOfA * kWidth * kThreads == kBlockM * kBlockK);
  static_assert(kPacksOfB * kWidth * kThreads == kBlockK * kBlockN);
  // Columns of the transposed tile of A start in different banks of shared memory.
  static constexpr int kPad = 4;
};

/// The pack at (row, column) of a matrix; zeros outside the matrix.
template <class T>
__device__ gpu::Pack<T> load_guarded(const T* matrix, int rows, int columns, int row, int column,
                                     bool aligned) {
  const T* from = matrix + std::int64_t{row} * columns + column;
  if (aligned && row < rows && column + gpu::kPackWidth<T> <= columns) return gpu::load_pack(from);
  gpu::Pack<T> pack;
#pragma unroll
  for (int i = 0; i < gpu::kPackWidth<T>; ++i) {
    pack[i] = row < rows && column + i < columns ? from[i] : T(0);
  }
  return pack;
}

template <class T>
__device__ void store_guarded(T* matrix, int rows, int columns, int row, int column, bool aligned,
                              const gpu::Pack<T>& pack) {
  T* to = matrix + std::int64_t{row} * columns + column;
  if (aligned && row < rows && column + gpu::kPackWidth<T> <= columns) {
    return gpu::store_pack(to, pack);
  }
#pragma unroll
  for (int i = 0; i < gpu::kPackWidth<T>; ++i) {
    if (row < rows && column + i < columns) to[i] = pack[i];
  }
}

template <class T>
__global__ void __launch_bounds__(Shape<T>::kThreads, gpu::Features::kIsGpu ? 2 : 1)
    gemm_vectorised_kernel(int m, int n, int k, const T* __restrict__ a, const T* __restrict__ b,
                           T* __restrict__ c) {
  using S = Shape<T>;
  using Pack = gpu::Pack<T>;
  alignas(gpu::kPackBytes) __shared__ T a_tile[2][S::kBlockK][S::kBlockM + S::kPad];  // transposed
  alignas(gpu::kPackBytes) __shared__ T b_tile[2][S::kBlockK][S::kBlockN];
  const int thread = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.y) * S::kBlockM;
  const int first_column = static_cast<int>(blockIdx.x) * S::kBlockN;
  const bool aligned = n % S::kWidth == 0 && k % S::kWidth == 0;

  // Loading: which packs of the tiles of A and B this thread fetches.
  constexpr int kPacksPerRowOfA = S::kBlockK / S::kWidth;
  constexpr int kPacksPerRowOfB = S::kBlockN / S::kWidth;
  Pack a_next[S::kPacksOfA];
  Pack b_next[S::kPacksOfB];
  const auto fetch = [&](int start) {
#pragma unroll
    for (int l = 0; l < S::kPacksOfA; ++l) {
      const int place = l * S::kThreads + thread;
      a_next[l] = load_guarded(a, m, k, first_row + place / kPacksPerRowOfA,
                               start + place % kPacksPerRowOfA * S::kWidth, aligned);
    }
#pragma unroll
    for (int l = 0; l < S::kPacksOfB; ++l) {
      const int place = l * S::kThreads + thread;
      b_next[l] = load_guarded(b, k, n, start + place / kPacksPerRowOfB,
                               first_column + place % kPacksPerRowOfB * S::kWidth, aligned);
    }
  };
  const auto keep = [&](int buffer) {
#pragma unroll
    for (int l = 0; l < S::kPacksOfA; ++l) {
      const int place = l * S::kThreads + thread;
#pragma unroll
      for (int i = 0; i < S::kWidth; ++i) {
        a_tile[buffer][place % kPacksPerRowOfA * S::kWidth + i][place / kPacksPerRowOfA] =
            a_next[l][i];
      }
    }
#pragma unroll
    for (int l = 0; l < S::kPacksOfB; ++l) {
      const int place = l * S::kThreads + thread;
      gpu::store_pack(&b_tile[buffer][place / kPacksPerRowOfB][place % kPacksPerRowOfB * S::kWidth],
                      b_next[l]);
    }
  };

  // Computing: the position of this thread's first piece in the block's tile of C.
  constexpr int kStepM = S::kLanesM * S::kHeight;  // from one piece to the next
  constexpr int kStepN = S::kLanesN * S::kWidth;
  constexpr int kWarpsN = S::kBlockN / (S::kLanesN * S::kColumns);
  const int warp = thread / (S::kLanesM * S::kLanesN);
  const int lane = thread % (S::kLanesM * S::kLanesN);
  const int row = warp / kWarpsN * (S::kLanesM * S::kRows) + lane / S::kLanesN * S::kHeight;
  const int column = warp % kWarpsN * (S::kLanesN * S::kColumns) + lane % S::kLanesN * S::kWidth;

  Pack sum[S::kRows][S::kPieceN];
#pragma unroll
  for (int i = 0; i < S::kRows; ++i) {
#pragma unroll
    for (int j = 0; j < S::kPieceN; ++j) sum[i][j] = Pack(T(0));
  }
  //@solve 03.gemm.vectorised: fetch the next tiles, multiply these, store the next, one barrier.
  fetch(0);
  keep(0);
  __syncthreads();
  int buffer = 0;
  for (int start = 0; start < k; start += S::kBlockK, buffer = 1 - buffer) {
    const bool more = start + S::kBlockK < k;
    if (more) fetch(start + S::kBlockK);
#pragma unroll
    for (int p = 0; p < S::kBlockK; ++p) {
      Pack b_part[S::kPieceN];
#pragma unroll
      for (int j = 0; j < S::kPieceN; ++j) {
        b_part[j] = gpu::load_pack(&b_tile[buffer][p][column + j * kStepN]);
      }
#pragma unroll
      for (int i = 0; i < S::kRows; ++i) {
        const Pack a_part(a_tile[buffer][p][row + i / S::kHeight * kStepM + i % S::kHeight]);
#pragma unroll
        for (int j = 0; j < S::kPieceN; ++j) {
          sum[i][j] = gpu::multiply_add(a_part, b_part[j], sum[i][j]);
        }
      }
    }
    if (more) keep(1 - buffer);
    __syncthreads();  // the other buffer is complete, and this one is no longer read
  }
  //@stub
  //| // sum[i][j] += a_tile[buffer][p][row of i] * the pack b_tile[buffer][p][column + j * kStepN].
  //@end
#pragma unroll
  for (int i = 0; i < S::kRows; ++i) {
#pragma unroll
    for (int j = 0; j < S::kPieceN; ++j) {
      store_guarded(c, m, n, first_row + row + i / S::kHeight * kStepM + i % S::kHeight,
                    first_column + column + j * kStepN, n % S::kWidth == 0, sum[i][j]);
    }
  }
}

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_vectorised(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                     gpu::DeviceSpan<T> c) {
  using S = Shape<T>;
  const dim3 grid(gpu::blocks_for(n, S::kBlockN), gpu::blocks_for(m, S::kBlockM));
  //@solve 03.gemm.vectorised: launch gemm_vectorised_kernel<T>; the grid is chosen above.
  gpu::launch<gemm_vectorised_kernel<T>>(grid, dim3(S::kThreads), m, n, k, a.data(), b.data(),
                                         c.data());
  //@stub
  //| harness::unsolved("03.gemm.vectorised", "topics/03-roofline-modeling/README.md#gemm");
  //@end
}

HARNESS_COUNTED_LAB(gemm_vectorised, float,
                    {.work = harness::square_product_work,
                     .buffer_size = harness::square_elements,
                     .default_n = 1024})
