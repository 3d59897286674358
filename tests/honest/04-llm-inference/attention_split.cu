// SPDX-License-Identifier: MIT
// One thread per output of a part, and one that merges the parts.
// Earns: 04.attention.split | right for 26 sizes
// Fails: 04.attention.speed | far too many accesses to memory
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

constexpr float kNegativeInfinity = -INFINITY;

__global__ void attend_part(std::int64_t outputs, Shape shape, std::int64_t context, int parts,
                            const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v,
                            float* part_out, float* part_lse) {
  const std::int64_t index = std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x);
  if (index >= outputs) return;
  const std::int64_t row = index / shape.dim / parts;
  const std::int64_t part = index / shape.dim % parts;
  const int head = static_cast<int>(row % shape.query_heads);
  const std::int64_t group = row / shape.query_heads * shape.kv_heads + shape.kv_head_of(head);
  const std::int64_t tokens = (context + parts - 1) / parts;
  const std::int64_t end = min((part + 1) * tokens, context);
  float maximum = -FLT_MAX, sum = 0, value = 0;
  for (std::int64_t t = part * tokens; t < end; ++t) {
    const std::int64_t at = (group * context + t) * shape.dim;
    const float score = score_of(q + row * shape.dim, k + at, shape.dim);
    const float higher = fmaxf(maximum, score);
    const float factor = expf(maximum - higher), weight = expf(score - higher);
    sum = sum * factor + weight;
    value = value * factor + weight * __bfloat162float(v[at + index % shape.dim]);
    maximum = higher;
  }
  part_out[index] = sum == 0 ? 0 : value / sum;
  if (index % shape.dim == 0) {
    part_lse[index / shape.dim] = sum == 0 ? kNegativeInfinity : maximum + logf(sum);
  }
}

__global__ void merge_parts(std::int64_t outputs, int dim, int parts, const float* part_out,
                            const float* part_lse, float* out) {
  const std::int64_t index = std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x);
  if (index >= outputs) return;
  const std::int64_t row = index / dim;
  float highest = -FLT_MAX;
  for (int p = 0; p < parts; ++p) highest = fmaxf(highest, part_lse[row * parts + p]);
  float sum = 0, value = 0;
  for (int p = 0; p < parts; ++p) {
    const float weight = expf(part_lse[row * parts + p] - highest);
    sum += weight;
    value += weight * part_out[(row * parts + p) * dim + index % dim];
  }
  out[index] = sum == 0 ? 0 : value / sum;
}

void attention_split(int query_heads, int kv_heads, int head_dim, std::int64_t context, int parts,
                     gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const __nv_bfloat16> k,
                     gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> part_out,
                     gpu::DeviceSpan<float> part_lse, gpu::DeviceSpan<float> out) {
  const auto all = static_cast<std::int64_t>(part_out.size());
  const auto outputs = static_cast<std::int64_t>(out.size());
  gpu::launch<attend_part>(gpu::blocks_for(all, 64), 64, all,
                           Shape{query_heads, kv_heads, head_dim}, context, parts, q.data(),
                           k.data(), v.data(), part_out.data(), part_lse.data());
  gpu::launch<merge_parts>(gpu::blocks_for(outputs, 64), 64, outputs, head_dim, parts,
                           part_out.data(), part_lse.data(), out.data());
}

HARNESS_LAB(attention_split, {})
