// SPDX-License-Identifier: MIT
// One thread per output, one token after the other.
// Earns: 04.attention.decode | right for 26 sizes
// By night: contexts of 131,072 tokens, half a minute.
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

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

__global__ void attend_naive(std::int64_t outputs, Shape shape, std::int64_t context,
                             const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v,
                             float* out) {
  const std::int64_t index = std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x);
  if (index >= outputs) return;
  const std::int64_t row = index / shape.dim;
  const int head = static_cast<int>(row % shape.query_heads);
  const std::int64_t group = row / shape.query_heads * shape.kv_heads + shape.kv_head_of(head);
  float maximum = -FLT_MAX, sum = 0, value = 0;
  for (std::int64_t t = 0; t < context; ++t) {
    const std::int64_t at = (group * context + t) * shape.dim;
    const float score = score_of(q + row * shape.dim, k + at, shape.dim);
    const float higher = fmaxf(maximum, score);
    const float factor = expf(maximum - higher), weight = expf(score - higher);
    sum = sum * factor + weight;
    value = value * factor + weight * __bfloat162float(v[at + index % shape.dim]);
    maximum = higher;
  }
  out[index] = sum == 0 ? 0 : value / sum;
}

void attention_decode(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                      gpu::DeviceSpan<const __nv_bfloat16> q,
                      gpu::DeviceSpan<const __nv_bfloat16> k,
                      gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> out) {
  const auto outputs = static_cast<std::int64_t>(out.size());
  gpu::launch<attend_naive>(gpu::blocks_for(outputs, 64), 64, outputs,
                            Shape{query_heads, kv_heads, head_dim}, context, q.data(), k.data(),
                            v.data(), out.data());
}

HARNESS_LAB(attention_decode, {})
