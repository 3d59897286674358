// SPDX-License-Identifier: MIT
// Paged attention in as few lines as possible, for any size of a head.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>

#include "engine/operators/labs.hpp"
#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"

namespace engine {

inline constexpr int kAttentionThreads = gpu::Features::kIsGpu ? 128 : 8;

/// A thread a query head, which goes through its tokens twice: the largest score, then the sums.
template <class T>
__global__ void plain_attention_kernel(int heads, int ratio, int kv_heads, int dim,
                                       int pages_per_sequence,
                                       const std::int32_t* __restrict__ lengths,
                                       const std::int32_t* __restrict__ table,
                                       const T* __restrict__ q, const T* __restrict__ k,
                                       const T* __restrict__ v, float* __restrict__ out) {
  const auto head = static_cast<std::int64_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (head >= heads) return;
  const std::int64_t sequence = head / (std::int64_t{kv_heads} * ratio);
  const std::int64_t kv_head = head / ratio % kv_heads;
  const auto row = [&](std::int64_t token) {
    const std::int64_t page = table[sequence * pages_per_sequence + token / kPageTokens];
    return ((page * kv_heads + kv_head) * kPageTokens + token % kPageTokens) * dim;
  };
  const auto score = [&](std::int64_t token) {
    float sum = 0;
    for (int i = 0; i < dim; ++i) {
      sum = fmaf(gpu::to_float(q[head * dim + i]), gpu::to_float(k[row(token) + i]), sum);
    }
    return sum / sqrtf(static_cast<float>(dim));
  };
  float highest = -FLT_MAX;
  for (std::int64_t t = 0; t < lengths[sequence]; ++t) highest = fmaxf(highest, score(t));
  for (int i = 0; i < dim; ++i) out[head * dim + i] = 0;
  float total = 0;
  for (std::int64_t t = 0; t < lengths[sequence]; ++t) {
    const float weight = expf(score(t) - highest);
    total += weight;
    for (int i = 0; i < dim; ++i) {
      out[head * dim + i] = fmaf(weight, gpu::to_float(v[row(t) + i]), out[head * dim + i]);
    }
  }
  if (total == 0) return;
  for (int i = 0; i < dim; ++i) out[head * dim + i] /= total;
}

/// As attention_paged (topics/04-llm-inference/code/attention_paged.cu), operands of type T.
template <class T>
void plain_attention(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                     In<std::int32_t> table, In<T> q, In<T> k, In<T> v, Out<float> out) {
  const auto sequences = static_cast<int>(lengths.size());
  if (sequences == 0) return;
  const int heads = sequences * query_heads;
  gpu::launch<plain_attention_kernel<T>>(
      gpu::blocks_for(heads, kAttentionThreads), kAttentionThreads, heads, query_heads / kv_heads,
      kv_heads, head_dim, static_cast<int>(table.size()) / sequences, lengths.data(), table.data(),
      q.data(), k.data(), v.data(), out.data());
}

}  // namespace engine
