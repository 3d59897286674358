// SPDX-License-Identifier: MIT
// Each thread handles up to four query heads, which share each key, each value and their scales.
// Earns: 04.attention_int8.passes | does no more work than allowed
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

constexpr int kHeads = 4;
constexpr int kMostNumbers = 128;

template <class T>
__global__ void four_heads(int ratio, int dim, std::int64_t context, const __nv_bfloat16* q,
                           const std::int8_t* k, const __half* k_scales, const std::int8_t* v,
                           const __half* v_scales, T* out) {
  const int first = kHeads * static_cast<int>(blockIdx.x);
  const int heads = min(ratio - first, kHeads);
  const std::int64_t at = (std::int64_t{blockIdx.y} * ratio + first) * dim;
  T query[kHeads][kMostNumbers];
  T value[kHeads][kMostNumbers] = {};
  T highest[kHeads];
  T sum[kHeads] = {};
  for (int h = 0; h < heads; ++h) {
    highest[h] = -FLT_MAX;
    for (int i = 0; i < dim; ++i) {
      query[h][i] = __bfloat162float(q[at + h * dim + i]) * rsqrtf(static_cast<float>(dim));
    }
  }
  for (std::int64_t token = 0; token < context; ++token) {
    const std::int64_t row = std::int64_t{blockIdx.y} * context + token;
    T score[kHeads] = {};
    for (int i = 0; i < dim; ++i) {
      const T key = static_cast<float>(k[row * dim + i]);
      for (int h = 0; h < heads; ++h) score[h] = fmaf(query[h][i], key, score[h]);
    }
    const float key_scale = __half2float(k_scales[row]);
    T weight[kHeads];
    const float value_scale = __half2float(v_scales[row]);
    for (int h = 0; h < heads; ++h) {
      score[h] *= key_scale;
      const T before = highest[h];
      highest[h] = fmaxf(before, score[h]);
      const T factor = expf(before - highest[h]);
      weight[h] = expf(score[h] - highest[h]);
      sum[h] = sum[h] * factor + weight[h];
      weight[h] *= value_scale;
      for (int i = 0; i < dim; ++i) value[h][i] *= factor;
    }
    for (int i = 0; i < dim; ++i) {
      const T number = static_cast<float>(v[row * dim + i]);
      for (int h = 0; h < heads; ++h) value[h][i] = fmaf(weight[h], number, value[h][i]);
    }
  }
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < dim; ++i) out[at + h * dim + i] = context > 0 ? value[h][i] / sum[h] : T(0);
  }
}

template <class T>
void attention_int8(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                    gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const std::int8_t> k,
                    gpu::DeviceSpan<const __half> k_scales, gpu::DeviceSpan<const std::int8_t> v,
                    gpu::DeviceSpan<const __half> v_scales, gpu::DeviceSpan<T> out) {
  const int ratio = query_heads / kv_heads;
  const auto groups = static_cast<unsigned>(q.size()) / static_cast<unsigned>(ratio * head_dim);
  gpu::launch<four_heads<T>>(dim3(gpu::blocks_for(ratio, kHeads), groups), 1, ratio, head_dim,
                             context, q.data(), k.data(), k_scales.data(), v.data(),
                             v_scales.data(), out.data());
}

HARNESS_COUNTED_LAB(attention_int8, float, {})
