// SPDX-License-Identifier: MIT
// Kernels whose speed is compared with plain C++.
#include "gpu/gpu.hpp"
#include "kernels.hpp"

namespace bench {
namespace {

constexpr int kBlock = 256;
constexpr int kStreamBlock = 512;
constexpr int kSumBlock = 128;
constexpr int kTile = 16;

}  // namespace

__global__ void saxpy(std::int64_t n, float a, const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void triad(std::int64_t n, float* __restrict__ a, const float* __restrict__ b, float s,
                      const float* __restrict__ c) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}

// Adjacent threads read adjacent elements in every step, as GPUs prefer.
__global__ void partial_sums(const float* __restrict__ x, float* __restrict__ partial) {
  const std::int64_t block = blockIdx.x;
  const float* first = x + block * kSumBlock * kSumPerThread + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int step = 0; step < kSumPerThread; ++step) sum += first[step * kSumBlock];
  partial[block * kSumBlock + threadIdx.x] = sum;
}

__global__ void fma_chains(int steps, float* __restrict__ out) {
  float chain[kFmaChains];
  for (int c = 0; c < kFmaChains; ++c) chain[c] = static_cast<float>(c + threadIdx.x);
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int c = 0; c < kFmaChains; ++c) chain[c] = fmaf(chain[c], 0.999f, 0.001f);
  }
  float sum = 0;
  for (int c = 0; c < kFmaChains; ++c) sum += chain[c];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void tiled_product(int n, const float* __restrict__ a, const float* __restrict__ b,
                              float* __restrict__ c) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();  // the tiles are overwritten next
  }
  c[row * n + column] = sum;
}

__global__ void tree_sum(const float* __restrict__ x, float* __restrict__ sums) {
  __shared__ float values[kBlock];
  values[threadIdx.x] = x[blockIdx.x * kBlock + threadIdx.x];
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = values[0];
}

__global__ void empty() {}

void launch_saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<saxpy>(gpu::blocks_for(n, kStreamBlock), kStreamBlock, n, a, x.data(), y.data());
}

void launch_triad(gpu::DeviceSpan<float> a, gpu::DeviceSpan<const float> b, float s,
                  gpu::DeviceSpan<const float> c) {
  const auto n = static_cast<std::int64_t>(a.size());
  gpu::launch<triad>(gpu::blocks_for(n, kStreamBlock), kStreamBlock, n, a.data(), b.data(), s,
                     c.data());
}

void launch_sum(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> partial) {
  gpu::launch<partial_sums>(x.size() / (kSumBlock * kSumPerThread), kSumBlock, x.data(),
                            partial.data());
}

void launch_fma(int threads, int steps, gpu::DeviceSpan<float> out) {
  constexpr int kFmaBlock = 32;
  gpu::launch<fma_chains>(threads / kFmaBlock, kFmaBlock, steps, out.data());
}

void launch_tiled_product(int n, gpu::DeviceSpan<const float> a, gpu::DeviceSpan<const float> b,
                          gpu::DeviceSpan<float> c) {
  const auto tiles = static_cast<unsigned>(n / kTile);
  gpu::launch<tiled_product>(dim3(tiles, tiles), dim3(kTile, kTile), n, a.data(), b.data(),
                             c.data());
}

void launch_tree_sum(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> sums) {
  gpu::launch<tree_sum>(x.size() / kBlock, kBlock, x.data(), sums.data());
}

void launch_empty(unsigned blocks) {
  gpu::launch<empty>(blocks, 32);
}

}  // namespace bench
