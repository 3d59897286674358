// SPDX-License-Identifier: MIT
// The labs' operators in as few lines as possible: what a lab must agree with.
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "engine/operators/labs.hpp"
#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "plain_attention.hpp"

namespace engine {
namespace {

constexpr int kLanes = gpu::team_lanes(32);
constexpr int kThreads = gpu::Features::kIsGpu ? 128 : 8;

/// A team of lanes a row; W and x of any type, sums in FP32. Without scales each is 1.
template <class W, class X>
__global__ void plain_gemv(std::int64_t rows, std::int64_t columns, const W* __restrict__ w,
                           const float* __restrict__ scales, const X* __restrict__ x,
                           float* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t row =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  if (row >= rows) return;
  float sum = 0;
  for (std::int64_t c = lane; c < columns; c += kLanes) {
    sum = fmaf(gpu::to_float(w[row * columns + c]), gpu::to_float(x[c]), sum);
  }
  sum = gpu::team_sum<kLanes>(sum);
  if (lane == 0) y[row] = scales == nullptr ? sum : scales[row] * sum;
}

template <class W, class X>
void launch_gemv(In<W> w, const float* scales, In<X> x, Out<float> y) {
  const auto rows = static_cast<std::int64_t>(y.size());
  gpu::launch<plain_gemv<W, X>>(gpu::blocks_for(rows * kLanes, kThreads), kThreads, rows,
                                static_cast<std::int64_t>(x.size()), w.data(), scales, x.data(),
                                y.data());
}

void plain_gemv_float(In<float> w, In<float> x, Out<float> y) {
  launch_gemv(w, nullptr, x, y);
}
void plain_gemv_half(In<__half> w, In<__half> x, Out<float> y) {
  launch_gemv(w, nullptr, x, y);
}
void plain_gemv_int8(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y) {
  launch_gemv(q, scales.data(), x, y);
}

void plain_attention_paged(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                           In<std::int32_t> table, In<__nv_bfloat16> q, In<__nv_bfloat16> k,
                           In<__nv_bfloat16> v, Out<float> out) {
  plain_attention(query_heads, kv_heads, head_dim, lengths, table, q, k, v, out);
}

/// A thread a row.
__global__ void plain_softmax(std::int64_t rows, std::int64_t columns, const float* __restrict__ x,
                              float* __restrict__ y) {
  const auto row = static_cast<std::int64_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const std::int64_t first = row * columns;
  float highest = -FLT_MAX;
  for (std::int64_t c = 0; c < columns; ++c) highest = fmaxf(highest, x[first + c]);
  float total = 0;
  for (std::int64_t c = 0; c < columns; ++c) total += expf(x[first + c] - highest);
  for (std::int64_t c = 0; c < columns; ++c) y[first + c] = expf(x[first + c] - highest) / total;
}

void plain_softmax_online(std::int64_t columns, In<float> x, Out<float> y) {
  if (x.empty()) return;
  const auto rows = static_cast<std::int64_t>(x.size()) / columns;
  gpu::launch<plain_softmax>(gpu::blocks_for(rows, kThreads), kThreads, rows, columns, x.data(),
                             y.data());
}

}  // namespace

LabKernels plain_kernels() {
  return {&plain_gemv_float, &plain_gemv_half, &plain_gemv_int8, &plain_attention_paged,
          &plain_softmax_online};
}

}  // namespace engine
