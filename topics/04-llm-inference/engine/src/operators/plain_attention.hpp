// SPDX-License-Identifier: MIT
// Paged attention for any head size and number type, with one thread per head.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/operators/labs.hpp"
#include "gpu/detail/to_float.hpp"
#include "gpu/gpu.hpp"

namespace engine {

struct AttentionSizes {
  std::int64_t heads;  ///< query heads of all sequences
  int query_heads;
  int kv_heads;
  int head_dim;
  int table_width;
};

/// Reads the keys twice, for the highest score and for the weights, so that no score is stored.
template <class T>
__global__ void plain_attention_kernel(AttentionSizes sizes,
                                       const std::int32_t* __restrict__ lengths,
                                       const std::int32_t* __restrict__ table,
                                       const T* __restrict__ q, const T* __restrict__ k,
                                       const T* __restrict__ v, float* __restrict__ out) {
  const std::int64_t head = std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x);
  if (head >= sizes.heads) return;
  const int dim = sizes.head_dim;
  const std::int64_t sequence = head / sizes.query_heads;
  const std::int64_t kv_head = head % sizes.query_heads / (sizes.query_heads / sizes.kv_heads);
  const auto place = [&](int token) {
    const std::int64_t page = table[sequence * sizes.table_width + token / kPageTokens];
    return ((page * sizes.kv_heads + kv_head) * kPageTokens + token % kPageTokens) * dim;
  };
  const auto score = [&](int token) {
    const T* const key = k + place(token);
    float sum = 0;
    for (int i = 0; i < dim; ++i) {
      sum = fmaf(gpu::to_float(q[head * dim + i]), gpu::to_float(key[i]), sum);
    }
    return sum / sqrtf(static_cast<float>(dim));
  };
  const int length = lengths[sequence];
  float highest = -INFINITY;
  for (int t = 0; t < length; ++t) highest = fmaxf(highest, score(t));
  float* const result = out + head * dim;
  for (int i = 0; i < dim; ++i) result[i] = 0;
  float total = 0;
  for (int t = 0; t < length; ++t) {
    const float weight = expf(score(t) - highest);
    const T* const value = v + place(t);
    total += weight;
    for (int i = 0; i < dim; ++i) result[i] = fmaf(weight, gpu::to_float(value[i]), result[i]);
  }
  for (int i = 0; i < dim && length > 0; ++i) result[i] /= total;
}

/// Like attention_paged (topics/04-llm-inference/code/attention_paged.cu), for operands of type T.
template <class T>
void plain_attention(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                     In<std::int32_t> table, In<T> q, In<T> k, In<T> v, Out<float> out) {
  if (lengths.empty()) return;
  constexpr int kThreads = gpu::Features::kIsGpu ? 32 : 4;
  const auto sequences = static_cast<std::int64_t>(lengths.size());
  const AttentionSizes sizes{sequences * query_heads, query_heads, kv_heads, head_dim,
                             static_cast<int>(table.size() / lengths.size())};
  gpu::launch<plain_attention_kernel<T>>(gpu::blocks_for(sizes.heads, std::int64_t{kThreads}),
                                         kThreads, sizes, lengths.data(), table.data(), q.data(),
                                         k.data(), v.data(), out.data());
}

}  // namespace engine
