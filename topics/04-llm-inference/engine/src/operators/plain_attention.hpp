// SPDX-License-Identifier: MIT
// Paged attention as a loop on the host, for any size of a head and type of number.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/operators/labs.hpp"
#include "gpu/detail/to_float.hpp"

namespace engine {

/// As attention_paged (topics/04-llm-inference/code/attention_paged.cu), operands of type T.
template <class T>
void plain_attention(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                     In<std::int32_t> table, In<T> q, In<T> k, In<T> v, Out<float> out) {
  const auto sequences = static_cast<std::int64_t>(lengths.size());
  const std::int64_t width =
      sequences == 0 ? 0 : static_cast<std::int64_t>(table.size()) / sequences;
  const auto dot = [head_dim](const T* a, const T* b) {
    float sum = 0;
    for (int i = 0; i < head_dim; ++i) sum += gpu::to_float(a[i]) * gpu::to_float(b[i]);
    return sum;
  };
  std::vector<float> weights;
  for (std::int64_t head = 0; head < sequences * query_heads; ++head) {
    const std::int64_t sequence = head / query_heads;
    const std::int64_t kv_head = head % query_heads / (query_heads / kv_heads);
    const auto place = [&](std::int64_t token) {
      const std::int64_t page = table.data()[sequence * width + token / kPageTokens];
      return ((page * kv_heads + kv_head) * kPageTokens + token % kPageTokens) * head_dim;
    };
    const T* const query = q.data() + head * head_dim;
    float* const result = out.data() + head * head_dim;
    weights.resize(static_cast<std::size_t>(lengths.data()[sequence]));
    float highest = -INFINITY;
    for (std::size_t t = 0; t < weights.size(); ++t) {
      weights[t] = dot(query, k.data() + place(static_cast<std::int64_t>(t))) /
                   std::sqrt(static_cast<float>(head_dim));
      highest = std::fmax(highest, weights[t]);
    }
    float total = 0;
    for (float& weight : weights) total += weight = std::exp(weight - highest);
    for (int i = 0; i < head_dim; ++i) result[i] = 0;
    for (std::size_t t = 0; t < weights.size(); ++t) {
      const T* const value = v.data() + place(static_cast<std::int64_t>(t));
      const float share = weights[t] / total;
      for (int i = 0; i < head_dim; ++i) result[i] += share * gpu::to_float(value[i]);
    }
  }
}

}  // namespace engine
