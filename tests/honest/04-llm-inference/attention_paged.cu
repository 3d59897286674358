// SPDX-License-Identifier: MIT
// One thread per output, through the page table.
// Earns: 04.attention.paged | right for 26 sizes
// By night: contexts of 131,072 tokens, half a minute.
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

constexpr int kPageTokens = 16;

struct Shape {
  int query_heads;
  int kv_heads;
  int dim;

  __device__ int kv_head_of(int head) const { return head / (query_heads / kv_heads); }
};

__device__ float score_of(const __nv_bfloat16* q, const __nv_bfloat16* key, int dim) {
  float sum = 0;
  for (int i = 0; i < dim; ++i) sum = fmaf(__bfloat162float(q[i]), __bfloat162float(key[i]), sum);
  return sum * rsqrtf(static_cast<float>(dim));
}

__global__ void attend_naive(std::int64_t outputs, Shape shape, int pages_per_sequence,
                             const std::int32_t* lengths, const std::int32_t* table,
                             const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v,
                             float* out) {
  const std::int64_t index = std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x);
  if (index >= outputs) return;
  const std::int64_t row = index / shape.dim;
  const int head = static_cast<int>(row % shape.query_heads);
  const std::int64_t sequence = row / shape.query_heads;
  float maximum = -FLT_MAX, sum = 0, value = 0;
  for (int t = 0; t < lengths[sequence]; ++t) {
    const std::int64_t page = max(0, table[sequence * pages_per_sequence + t / kPageTokens]);
    const std::int64_t at =
        ((page * shape.kv_heads + shape.kv_head_of(head)) * kPageTokens + t % kPageTokens) *
        shape.dim;
    const float score = score_of(q + row * shape.dim, k + at, shape.dim);
    const float higher = fmaxf(maximum, score);
    const float factor = expf(maximum - higher), weight = expf(score - higher);
    sum = sum * factor + weight;
    value = value * factor + weight * __bfloat162float(v[at + index % shape.dim]);
    maximum = higher;
  }
  out[index] = sum == 0 ? 0 : value / sum;
}

void attention_paged(int query_heads, int kv_heads, int head_dim,
                     gpu::DeviceSpan<const std::int32_t> lengths,
                     gpu::DeviceSpan<const std::int32_t> table,
                     gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const __nv_bfloat16> k,
                     gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> out) {
  const auto outputs = static_cast<std::int64_t>(out.size());
  gpu::launch<attend_naive>(gpu::blocks_for(outputs, 64), 64, outputs,
                            Shape{query_heads, kv_heads, head_dim},
                            static_cast<int>(table.size() / lengths.size()), lengths.data(),
                            table.data(), q.data(), k.data(), v.data(), out.data());
}

HARNESS_LAB(attention_paged, {})
