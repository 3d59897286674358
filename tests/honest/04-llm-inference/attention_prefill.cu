// SPDX-License-Identifier: MIT
// Each thread handles one query; the 64 of a block share tiles of keys and values.
// Earns: 04.attention_prefill.passes | does no more work than allowed
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

constexpr int kTile = 64;
constexpr int kMostNumbers = 128;

template <class T>
__global__ void query_a_thread(int tokens, int context, int ratio, int dim, const __nv_bfloat16* q,
                               const __nv_bfloat16* k, const __nv_bfloat16* v, T* out) {
  __shared__ __nv_bfloat16 keys[kTile * kMostNumbers];
  __shared__ __nv_bfloat16 values[kTile * kMostNumbers];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.y) * kTile;
  const int token = first + thread;
  const int seen = context - tokens + token + 1;
  const int most = context - tokens + min(first + kTile, tokens);
  const std::int64_t at = (std::int64_t{blockIdx.x} * tokens + token) * dim;
  const std::int64_t cache = std::int64_t{static_cast<int>(blockIdx.x) / ratio} * context * dim;
  T query[kMostNumbers];
  T value[kMostNumbers] = {};
  T highest = -FLT_MAX;
  T sum = 0;
  for (int i = 0; i < dim && token < tokens; ++i) {
    query[i] = __bfloat162float(q[at + i]) * rsqrtf(static_cast<float>(dim));
  }
  for (int begin = 0; begin < most; begin += kTile) {
    const int rows = min(most - begin, kTile);
    for (int i = thread; i < rows * dim; i += kTile) {
      keys[i] = k[cache + begin * dim + i];
      values[i] = v[cache + begin * dim + i];
    }
    __syncthreads();
    for (int row = 0; row < rows && token < tokens && begin + row < seen; ++row) {
      T score = 0;
      for (int i = 0; i < dim; ++i) {
        score = fmaf(query[i], __bfloat162float(keys[row * dim + i]), score);
      }
      const T before = highest;
      highest = fmaxf(before, score);
      const T factor = expf(before - highest);
      const T weight = expf(score - highest);
      sum = sum * factor + weight;
      for (int i = 0; i < dim; ++i) {
        value[i] = value[i] * factor + weight * __bfloat162float(values[row * dim + i]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < dim && token < tokens; ++i) out[at + i] = value[i] / sum;
}

template <class T>
void attention_prefill(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                       gpu::DeviceSpan<const __nv_bfloat16> q,
                       gpu::DeviceSpan<const __nv_bfloat16> k,
                       gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<T> out) {
  const auto tokens = static_cast<int>(q.size()) / query_heads / head_dim;
  const dim3 grid(static_cast<unsigned>(query_heads), gpu::blocks_for(tokens, kTile));
  gpu::launch<query_a_thread<T>>(grid, kTile, tokens, static_cast<int>(context),
                                 query_heads / kv_heads, head_dim, q.data(), k.data(), v.data(),
                                 out.data());
}

HARNESS_COUNTED_LAB(attention_prefill, float, {})
