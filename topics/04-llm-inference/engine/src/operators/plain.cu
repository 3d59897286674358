// SPDX-License-Identifier: MIT
// The labs' operators with one thread per result: what a lab must agree with, but not a solution.
#include <cmath>
#include <cstdint>

#include "engine/operators/labs.hpp"
#include "gpu/gpu.hpp"
#include "plain_attention.hpp"

namespace engine {
namespace {

constexpr int kThreads = gpu::Features::kIsGpu ? 128 : 16;

__device__ __forceinline__ std::int64_t number_of_thread() {
  return std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x);
}

/// y = W x; each row is multiplied by its scale, if there are any.
template <class W, class X>
__global__ void product(std::int64_t rows, std::int64_t columns, const W* __restrict__ w,
                        const float* __restrict__ scales, const X* __restrict__ x,
                        float* __restrict__ y) {
  const std::int64_t r = number_of_thread();
  if (r >= rows) return;
  // Eight interleaved sums, so that they need not wait for one another.
  constexpr int kSums = 8;
  float sums[kSums] = {};
  const W* const row = w + r * columns;
  for (std::int64_t first = 0; first < columns; first += kSums) {
    for (int i = 0; i < kSums; ++i) {
      const std::int64_t c = first + i;
      if (c < columns) sums[i] = fmaf(gpu::to_float(row[c]), gpu::to_float(x[c]), sums[i]);
    }
  }
  float all = 0;
  for (const float sum : sums) all += sum;
  y[r] = scales == nullptr ? all : scales[r] * all;
}

__global__ void product_int4(std::int64_t rows, std::int64_t columns,
                             const std::uint8_t* __restrict__ packed,
                             const __half* __restrict__ scales, const __half* __restrict__ x,
                             float* __restrict__ y) {
  const std::int64_t r = number_of_thread();
  if (r >= rows) return;
  const std::int64_t groups = columns / kInt4Group;
  float all = 0;
  for (std::int64_t g = 0; g < groups; ++g) {
    float sum = 0;
    for (int i = 0; i < kInt4Group; ++i) {
      const std::int64_t c = g * kInt4Group + i;
      const int stored = packed[(r * columns + c) / 2] >> (c % 2 == 0 ? 0 : 4) & 15;
      sum = fmaf(static_cast<float>(stored - kInt4Zero), gpu::to_float(x[c]), sum);
    }
    all = fmaf(gpu::to_float(scales[r * groups + g]), sum, all);
  }
  y[r] = all;
}

__global__ void softmax(std::int64_t rows, std::int64_t columns, const float* __restrict__ x,
                        float* __restrict__ y) {
  const std::int64_t r = number_of_thread();
  if (r >= rows) return;
  const float* const from = x + r * columns;
  float highest = from[0];
  for (std::int64_t c = 1; c < columns; ++c) highest = fmaxf(highest, from[c]);
  float total = 0;
  for (std::int64_t c = 0; c < columns; ++c) total += expf(from[c] - highest);
  for (std::int64_t c = 0; c < columns; ++c) y[r * columns + c] = expf(from[c] - highest) / total;
}

/// Blocks of kThreads needed for this many results.
unsigned blocks(std::int64_t count) {
  return gpu::blocks_for(count, std::int64_t{kThreads});
}

template <class W, class X>
void plain_product(In<W> w, In<X> x, Out<float> y) {
  const auto rows = static_cast<std::int64_t>(y.size());
  const float* const none = nullptr;
  gpu::launch<product<W, X>>(blocks(rows), kThreads, rows, static_cast<std::int64_t>(x.size()),
                             w.data(), none, x.data(), y.data());
}

void plain_gemv_batch(std::int64_t batch, In<__half> w, In<__half> x, Out<float> y) {
  const auto count = static_cast<std::size_t>(batch);
  const std::size_t columns = x.size() / count;
  const std::size_t rows = y.size() / count;
  for (std::size_t b = 0; b < count; ++b) {
    plain_product<__half, __half>(w, x.subspan(b * columns, columns), y.subspan(b * rows, rows));
  }
}

void plain_gemv_int8(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y) {
  const auto rows = static_cast<std::int64_t>(y.size());
  gpu::launch<product<std::int8_t, __half>>(blocks(rows), kThreads, rows,
                                            static_cast<std::int64_t>(x.size()), q.data(),
                                            scales.data(), x.data(), y.data());
}

void plain_gemv_int4(In<std::uint8_t> packed, In<__half> scales, In<__half> x, Out<float> y) {
  const auto rows = static_cast<std::int64_t>(y.size());
  gpu::launch<product_int4>(blocks(rows), kThreads, rows, static_cast<std::int64_t>(x.size()),
                            packed.data(), scales.data(), x.data(), y.data());
}

void plain_softmax(std::int64_t columns, In<float> x, Out<float> y) {
  const std::int64_t rows = static_cast<std::int64_t>(x.size()) / columns;
  gpu::launch<softmax>(blocks(rows), kThreads, rows, columns, x.data(), y.data());
}

}  // namespace

LabKernels plain_kernels() {
  return {.gemv = &plain_product<float, float>,
          .gemv_half = &plain_product<__half, __half>,
          .gemv_batch = &plain_gemv_batch,
          .gemv_int8 = &plain_gemv_int8,
          .gemv_int4 = &plain_gemv_int4,
          .attention_paged = &plain_attention<__nv_bfloat16>,
          .softmax_online = &plain_softmax};
}

}  // namespace engine
