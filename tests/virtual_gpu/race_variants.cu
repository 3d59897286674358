// SPDX-License-Identifier: MIT
// The same work in different shapes: independent chains, sums and tiles, rows of a thread, widths
// of loads, block sizes; at sizes that the virtual GPU can profile.
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "gpu/gpu.hpp"
#include "gpu/matrix.hpp"
#include "gpu/pack.hpp"
#include "race_variants.hpp"

namespace races {
namespace {

__device__ std::int64_t thread_number() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// Buffers of one type and a launch that uses them.
template <class T, class Launch>
std::function<std::function<void()>()> with_buffers(std::vector<std::size_t> sizes, Launch launch) {
  return [sizes, launch] {
    auto buffers = std::make_shared<std::vector<gpu::DeviceBuffer<T>>>();
    for (const std::size_t size : sizes) buffers->emplace_back(size);
    return [buffers, launch] { launch(*buffers); };
  };
}

// --- Multiply-adds in registers ------------------------------------------------------------------

template <int kChains, int kUnroll>
__global__ void chains(std::int64_t n, int iterations, float a, float b,
                       const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t threads = n / kChains;
  const std::int64_t thread = thread_number();
  if (thread >= threads) return;
  float value[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) value[c] = x[thread + c * threads];
  for (int k = 0; k < iterations; k += kUnroll) {
#pragma unroll
    for (int step = 0; step < kUnroll; ++step) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) value[c] = fmaf(value[c], a, b);
    }
  }
#pragma unroll
  for (int c = 0; c < kChains; ++c) y[thread + c * threads] = value[c];
}

template <int kChains, int kUnroll>
Variant chains_of(std::int64_t n, int threads) {
  return {"02.fma.speed",
          std::to_string(kChains) + " chains, " + std::to_string(kUnroll) + " steps, blocks of " +
              std::to_string(threads) + ", n = " + std::to_string(n),
          with_buffers<float>({static_cast<std::size_t>(n), static_cast<std::size_t>(n)},
                              [n, threads](auto& buffers) {
                                gpu::launch<chains<kChains, kUnroll>>(
                                    gpu::blocks_for(n / kChains, threads), threads, n, 256, 0.5f,
                                    1.0f, buffers[0].data(), buffers[1].data());
                              })};
}

// --- The nearest cache ---------------------------------------------------------------------------

template <int kSums, int kThreads>
__global__ void ladder(std::int64_t n, int passes, const double* __restrict__ x,
                       double* __restrict__ sums) {
  __shared__ double part[kThreads];
  const std::int64_t length = n / gridDim.x;
  double running[kSums] = {};
  const std::int64_t begin = blockIdx.x * length;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::int64_t at = begin; at < begin + length; at += kSums * kThreads) {
#pragma unroll
      for (int k = 0; k < kSums; ++k) running[k] += x[at + k * kThreads + threadIdx.x];
    }
  }
  double sum = 0;
#pragma unroll
  for (int k = 0; k < kSums; ++k) sum += running[k];
  part[threadIdx.x] = sum;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

constexpr int kLadderBlocks = 264;
constexpr std::int64_t kLadderNumbers = std::int64_t{kLadderBlocks} * 4096;

template <int kSums, int kThreads>
Variant ladder_of() {
  return {"02.ladder.speed", std::to_string(kSums) + " sums, blocks of " + std::to_string(kThreads),
          with_buffers<double>({kLadderNumbers, kLadderBlocks}, [](auto& buffers) {
            gpu::launch<ladder<kSums, kThreads>>(kLadderBlocks, kThreads, kLadderNumbers, 64,
                                                 buffers[0].data(), buffers[1].data());
          })};
}

// --- Packed halves -------------------------------------------------------------------------------

template <int kPairs, int kUnroll, bool kArePacked>
__global__ void halves(std::int64_t n, int iterations, float a, float b,
                       const __half* __restrict__ x, __half* __restrict__ y) {
  const std::int64_t threads = n / 2 / kPairs;
  const std::int64_t thread = thread_number();
  if (thread >= threads) return;
  const __half2 factor = __floats2half2_rn(a, a);
  const __half2 addend = __floats2half2_rn(b, b);
  __half2 value[kPairs];
#pragma unroll
  for (int c = 0; c < kPairs; ++c) {
    const std::int64_t i = 2 * (thread + c * threads);
    value[c] = __halves2half2(x[i], x[i + 1]);
  }
  for (int k = 0; k < iterations; k += kUnroll) {
#pragma unroll
    for (int step = 0; step < kUnroll; ++step) {
#pragma unroll
      for (int c = 0; c < kPairs; ++c) {
        if constexpr (kArePacked) {
          value[c] = __hfma2(value[c], factor, addend);
        } else {
          value[c].x = __hfma(value[c].x, factor.x, addend.x);
          value[c].y = __hfma(value[c].y, factor.y, addend.y);
        }
      }
    }
  }
#pragma unroll
  for (int c = 0; c < kPairs; ++c) {
    const std::int64_t i = 2 * (thread + c * threads);
    y[i] = value[c].x;
    y[i + 1] = value[c].y;
  }
}

template <int kPairs, int kUnroll, bool kArePacked = true>
Variant halves_of(std::int64_t n, int threads) {
  return {"02.half.speed",
          std::to_string(kPairs) + (kArePacked ? " pairs, " : " pairs, half by half, ") +
              std::to_string(kUnroll) + " steps, blocks of " + std::to_string(threads) +
              ", n = " + std::to_string(n),
          with_buffers<__half>({static_cast<std::size_t>(n), static_cast<std::size_t>(n)},
                               [n, threads](auto& buffers) {
                                 gpu::launch<halves<kPairs, kUnroll, kArePacked>>(
                                     gpu::blocks_for(n / 2 / kPairs, threads), threads, n, 64, 0.5f,
                                     1.0f, buffers[0].data(), buffers[1].data());
                               })};
}

// --- Matrix instructions -------------------------------------------------------------------------

constexpr int kSide = 16;
constexpr int kElements = kSide * kSide;

template <int kTiles, bool kReloads>
__global__ void products(std::int64_t tiles, int iterations, const __half* __restrict__ a,
                         const __half* __restrict__ b, float* __restrict__ c) {
  namespace wmma = nvcuda::wmma;
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::int64_t first = (std::int64_t{blockIdx.x} * warps + warp) * kTiles;
  if (first >= tiles) return;
  wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, __half, wmma::row_major> left[kTiles];
  wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, __half, wmma::row_major> right[kTiles];
  wmma::fragment<wmma::accumulator, kSide, kSide, kSide, float> sum[kTiles];
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    wmma::fill_fragment(sum[t], 0.0f);
    wmma::load_matrix_sync(left[t], a + (first + t) * kElements, kSide);
    wmma::load_matrix_sync(right[t], b + (first + t) * kElements, kSide);
  }
#pragma unroll 4
  for (int k = 0; k < iterations; ++k) {
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      if constexpr (kReloads) {
        wmma::load_matrix_sync(left[t], a + (first + t) * kElements, kSide);
        __syncwarp();
      }
      wmma::mma_sync(sum[t], left[t], right[t], sum[t]);
    }
  }
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    wmma::store_matrix_sync(c + (first + t) * kElements, sum[t], kSide, wmma::mem_row_major);
  }
}

template <int kTiles, bool kReloads = false>
Variant products_of(std::int64_t tiles, int threads) {
  return {"02.matrix.speed",
          std::to_string(kTiles) + (kReloads ? " tiles, loaded each time" : " tiles") +
              ", blocks of " + std::to_string(threads) + ", n = " + std::to_string(tiles),
          [tiles, threads]() -> std::function<void()> {
            const auto numbers = static_cast<std::size_t>(tiles * kElements);
            auto factors = std::make_shared<std::vector<gpu::DeviceBuffer<__half>>>();
            factors->emplace_back(numbers);
            factors->emplace_back(numbers);
            auto sums = std::make_shared<gpu::DeviceBuffer<float>>(numbers);
            return [tiles, threads, factors, sums] {
              gpu::launch<products<kTiles, kReloads>>(gpu::blocks_for(tiles, threads / 32 * kTiles),
                                                      threads, tiles, 64, (*factors)[0].data(),
                                                      (*factors)[1].data(), sums->data());
            };
          }};
}

// --- Matrix product, sums in registers -----------------------------------------------------------

/// A thread computes kRows rows of one pack, or, without packs, of one number.
template <int kRows, class Piece>
__global__ void product_in_registers(int n, const float* __restrict__ a,
                                     const float* __restrict__ b, float* __restrict__ c) {
  constexpr int kWidth = static_cast<int>(sizeof(Piece) / sizeof(float));
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * kWidth;
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * kRows;
  if (row + kRows > n || column + kWidth > n) return;
  const float* a_row = a + std::int64_t{row} * n;
  if constexpr (kWidth == 1) {
    float sum[kRows] = {};
    for (int p = 0; p < n; ++p) {
      const float b_part = b[std::int64_t{p} * n + column];
#pragma unroll
      for (int i = 0; i < kRows; ++i) sum[i] = fmaf(a_row[std::int64_t{i} * n + p], b_part, sum[i]);
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) c[std::int64_t{row + i} * n + column] = sum[i];
  } else {
    gpu::Pack<float> sum[kRows];
#pragma unroll
    for (int i = 0; i < kRows; ++i) sum[i] = gpu::Pack<float>(0.0f);
    for (int p = 0; p < n; ++p) {
      const gpu::Pack<float> b_part = gpu::load_pack(b + std::int64_t{p} * n + column);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const gpu::Pack<float> a_part(a_row[std::int64_t{i} * n + p]);
        sum[i] = gpu::multiply_add(a_part, b_part, sum[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      gpu::store_pack(c + std::int64_t{row + i} * n + column, sum[i]);
    }
  }
}

template <int kRows, class Piece>
Variant registers_of(int n, int threads_x, int threads_y) {
  constexpr int kWidth = static_cast<int>(sizeof(Piece) / sizeof(float));
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  return {"03.gemm.registers-speed",
          std::to_string(kRows) + (kWidth == 1 ? " rows of numbers" : " rows of packs") +
              ", blocks of " + std::to_string(threads_x) + " x " + std::to_string(threads_y) +
              ", n = " + std::to_string(n),
          with_buffers<float>({size, size, size}, [=](auto& buffers) {
            const dim3 block(threads_x, threads_y);
            const dim3 grid(gpu::blocks_for(n, threads_x * kWidth),
                            gpu::blocks_for(n, threads_y * kRows));
            gpu::launch<product_in_registers<kRows, Piece>>(grid, block, n, buffers[0].data(),
                                                            buffers[1].data(), buffers[2].data());
          })};
}

// --- Matrix product, tiles in shared memory and sums in registers --------------------------------

/// A thread computes kRows x kPacks packs; with two buffers, one barrier a step. Without wide loads
/// the tile of B is read number by number.
template <int kBlock, int kDepth, int kRows, int kPacks, int kBuffers, bool kIsWide>
__global__ void product_of_tiles(int n, const float* __restrict__ a, const float* __restrict__ b,
                                 float* __restrict__ c) {
  constexpr int kWidth = 4;
  constexpr int kColumns = kBlock / (kPacks * kWidth);  // threads side by side
  constexpr int kThreads = kColumns * (kBlock / kRows);
  constexpr int kFetches = kBlock * kDepth / (kWidth * kThreads);
  alignas(16) __shared__ float a_tile[kBuffers][kDepth][kBlock + 4];  // transposed
  alignas(16) __shared__ float b_tile[kBuffers][kDepth][kBlock];
  const int thread = static_cast<int>(threadIdx.x);
  const int x = thread % kColumns;
  const int y = thread / kColumns;
  const int first_row = static_cast<int>(blockIdx.y) * kBlock;
  const int first_column = static_cast<int>(blockIdx.x) * kBlock;
  gpu::Pack<float> a_next[kFetches];
  gpu::Pack<float> b_next[kFetches];
  const auto fetch = [&](int start) {
#pragma unroll
    for (int i = 0; i < kFetches; ++i) {
      const int place = i * kThreads + thread;
      const int row = place / (kDepth / kWidth);
      const int column = place % (kDepth / kWidth) * kWidth;
      a_next[i] = gpu::load_pack(a + std::int64_t{first_row + row} * n + start + column);
      const int b_row = place / (kBlock / kWidth);
      const int b_column = place % (kBlock / kWidth) * kWidth;
      b_next[i] = gpu::load_pack(b + std::int64_t{start + b_row} * n + first_column + b_column);
    }
  };
  const auto keep = [&](int buffer) {
#pragma unroll
    for (int i = 0; i < kFetches; ++i) {
      const int place = i * kThreads + thread;
      const int row = place / (kDepth / kWidth);
      const int column = place % (kDepth / kWidth) * kWidth;
#pragma unroll
      for (int j = 0; j < kWidth; ++j) a_tile[buffer][column + j][row] = a_next[i][j];
      gpu::store_pack(
          &b_tile[buffer][place / (kBlock / kWidth)][place % (kBlock / kWidth) * kWidth],
          b_next[i]);
    }
  };
  gpu::Pack<float> sum[kRows][kPacks];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kPacks; ++j) sum[i][j] = gpu::Pack<float>(0.0f);
  }
  fetch(0);
  keep(0);
  __syncthreads();
  int buffer = 0;
  for (int start = 0; start < n; start += kDepth) {
    const bool more = start + kDepth < n;
    if (more) fetch(start + kDepth);
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      gpu::Pack<float> b_part[kPacks];
#pragma unroll
      for (int j = 0; j < kPacks; ++j) {
        const int column = (j * kColumns + x) * kWidth;
        if constexpr (kIsWide) {
          b_part[j] = gpu::load_pack(&b_tile[buffer][p][column]);
        } else {
#pragma unroll
          for (int l = 0; l < kWidth; ++l) {
            b_part[j][l] = *const_cast<volatile float*>(&b_tile[buffer][p][column + l]);
          }
        }
      }
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const gpu::Pack<float> a_part(a_tile[buffer][p][y * kRows + i]);
#pragma unroll
        for (int j = 0; j < kPacks; ++j) {
          sum[i][j] = gpu::multiply_add(a_part, b_part[j], sum[i][j]);
        }
      }
    }
    if constexpr (kBuffers == 1) __syncthreads();
    buffer = (buffer + 1) % kBuffers;
    if (more) keep(buffer);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kPacks; ++j) {
      gpu::store_pack(c + std::int64_t{first_row + y * kRows + i} * n + first_column +
                          (j * kColumns + x) * kWidth,
                      sum[i][j]);
    }
  }
}

template <int kBlock, int kDepth, int kRows, int kPacks, int kBuffers, bool kIsWide = true>
Variant tiles_of(int n) {
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const int threads = kBlock / (kPacks * 4) * (kBlock / kRows);
  return {"03.gemm.vectorised-speed",
          "tiles of " + std::to_string(kBlock) + " x " + std::to_string(kDepth) + ", " +
              std::to_string(kRows) + " rows of " + std::to_string(kPacks) +
              (kIsWide ? " packs, " : " packs in numbers, ") + std::to_string(kBuffers) +
              " buffers, n = " + std::to_string(n),
          with_buffers<float>({size, size, size}, [n, threads](auto& buffers) {
            const dim3 grid(gpu::blocks_for(n, kBlock), gpu::blocks_for(n, kBlock));
            gpu::launch<product_of_tiles<kBlock, kDepth, kRows, kPacks, kBuffers, kIsWide>>(
                grid, threads, n, buffers[0].data(), buffers[1].data(), buffers[2].data());
          })};
}

}  // namespace

std::vector<Variant> variants() {
  std::vector<Variant> list;
  for (const std::int64_t n : {std::int64_t{1} << 17, std::int64_t{1} << 19}) {
    list.push_back(chains_of<16, 16>(n, 128));
    list.push_back(chains_of<8, 16>(n, 128));
    list.push_back(chains_of<4, 16>(n, 128));
    list.push_back(chains_of<2, 16>(n, 128));
    list.push_back(chains_of<1, 16>(n, 128));
    list.push_back(chains_of<16, 1>(n, 128));
    list.push_back(chains_of<1, 1>(n, 128));
    list.push_back(chains_of<16, 16>(n, 512));
    list.push_back(chains_of<4, 16>(n, 32));
  }
  list.push_back(ladder_of<4, 512>());
  list.push_back(ladder_of<1, 512>());
  list.push_back(ladder_of<2, 512>());
  list.push_back(ladder_of<4, 128>());
  list.push_back(ladder_of<1, 128>());
  list.push_back(ladder_of<8, 256>());
  for (const std::int64_t n : {std::int64_t{1} << 17, std::int64_t{1} << 20}) {
    list.push_back(halves_of<16, 16>(n, 256));
    list.push_back(halves_of<8, 16>(n, 256));
    list.push_back(halves_of<4, 16>(n, 256));
    list.push_back(halves_of<2, 16>(n, 256));
    list.push_back(halves_of<1, 16>(n, 256));
    list.push_back(halves_of<16, 1>(n, 256));
    list.push_back(halves_of<16, 16, false>(n, 256));
    list.push_back(halves_of<4, 16>(n, 64));
  }
  for (const std::int64_t tiles : {std::int64_t{528}, std::int64_t{2112}}) {
    list.push_back(products_of<4>(tiles, 128));
    list.push_back(products_of<2>(tiles, 128));
    list.push_back(products_of<1>(tiles, 128));
    list.push_back(products_of<1>(tiles, 32));
    list.push_back(products_of<4>(tiles, 32));
    list.push_back(products_of<4, true>(tiles, 128));
  }
  for (const int n : {512, 1024}) {
    list.push_back(registers_of<8, gpu::Pack<float>>(n, 32, 8));
    list.push_back(registers_of<4, gpu::Pack<float>>(n, 32, 8));
    list.push_back(registers_of<2, gpu::Pack<float>>(n, 32, 8));
    list.push_back(registers_of<1, gpu::Pack<float>>(n, 32, 8));
    list.push_back(registers_of<8, float>(n, 32, 8));
    list.push_back(registers_of<1, float>(n, 32, 8));
    list.push_back(registers_of<4, gpu::Pack<float>>(n, 16, 16));
    list.push_back(registers_of<8, gpu::Pack<float>>(n, 8, 8));
  }
  for (const int n : {512, 1024}) {
    list.push_back(tiles_of<128, 16, 8, 2, 2>(n));
    list.push_back(tiles_of<128, 16, 8, 2, 1>(n));
    list.push_back(tiles_of<64, 16, 8, 1, 2>(n));
    list.push_back(tiles_of<64, 16, 4, 1, 2>(n));
    list.push_back(tiles_of<64, 32, 2, 1, 1>(n));
    list.push_back(tiles_of<32, 32, 1, 1, 1>(n));
    list.push_back(tiles_of<128, 16, 8, 2, 2, false>(n));
  }
  return list;
}

}  // namespace races
