// SPDX-License-Identifier: MIT
// The kernels of a step besides the labs' operators: look-up, norms, rotary positions, gates. They
// are short, so each may start before the previous one has ended (gpu/overlap.hpp).
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/operators/labs.hpp"
#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"

namespace engine {

inline constexpr int kRowLanes = gpu::team_lanes(32);  // lanes that share a row
// A block on a CPU is one loop on one core: smaller work then wakes no other core.
inline constexpr int kStepThreads = gpu::Features::kIsGpu ? 128 : 512;

/// Number of the thread's team in the grid.
__device__ __forceinline__ std::int64_t row_of_team() {
  return (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kRowLanes;
}
__device__ __forceinline__ int lane_of_team() {
  return static_cast<int>(threadIdx.x) % kRowLanes;
}

__device__ __forceinline__ void put(float* to, float value) {
  *to = value;
}
__device__ __forceinline__ void put(__half* to, float value) {
  *to = __float2half(value);
}
__device__ __forceinline__ void put(__nv_bfloat16* to, float value) {
  *to = __float2bfloat16(value);
}

/// x[t] = table[token of t], as floats; without scales each is 1.
template <class W>
__global__ void look_up(int tokens, int hidden, const std::int32_t* __restrict__ ids,
                        const W* __restrict__ table, const float* __restrict__ scales,
                        float* __restrict__ x) {
  gpu::let_next_kernel_begin();
  const std::int64_t t = row_of_team();
  if (t >= tokens) return;
  const std::int64_t row = ids[t];
  const float scale = scales == nullptr ? 1 : scales[row];
  for (int i = lane_of_team(); i < hidden; i += kRowLanes) {
    x[t * hidden + i] = scale * gpu::to_float(table[row * hidden + i]);
  }
}

inline constexpr int kNormThreads = 512;
// A norm in a step of one token has only one row to work on: on a GPU a whole block shares it.
inline constexpr int kNormLanes = gpu::Features::kIsGpu ? kNormThreads : 1;

/// Sum over the threads of a block; every thread gets it. Call once per kernel.
__device__ __forceinline__ float block_sum(float value) {
  constexpr int kWarps = kNormThreads / 32;
  __shared__ float parts[kWarps];
  const int thread = static_cast<int>(threadIdx.x);
  value = gpu::team_sum<32>(value);
  if (thread % 32 == 0) parts[thread / 32] = value;
  __syncthreads();
  value = 0;
  for (const float part : parts) value += part;
  return value;
}

// Numbers that each lane keeps in registers on a GPU, with their weights: one wait for memory,
// where rereading the row would cost several.
inline constexpr int kNormHeld = gpu::Features::kIsGpu ? 8 : 0;

/// x += added (unless null); out = x / sqrt(mean of x^2 + epsilon) * weight, in rows of `stride`
/// padded with zeros. Blocks of kNormThreads, kNormLanes per token.
template <class T>
__global__ void add_and_norm(int tokens, int hidden, float epsilon, const float* added,
                             const float* __restrict__ weight, float* x, int stride,
                             T* __restrict__ out) {
  gpu::let_next_kernel_begin();
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % kNormLanes;
  const std::int64_t t =
      std::int64_t{blockIdx.x} * (kNormThreads / kNormLanes) + thread / kNormLanes;
  if (t >= tokens) return;
  float weights[kNormHeld + 1];
#pragma unroll
  for (int k = 0; k < kNormHeld; ++k) {
    const int i = lane + k * kNormLanes;
    weights[k] = i < hidden ? weight[i] : 0.0f;
  }
  gpu::wait_for_kernel_before();
  float* const row = x + t * hidden;
  const float* const row_added = added == nullptr ? nullptr : added + t * hidden;
  const auto sum = [&](int i) { return row_added == nullptr ? row[i] : row[i] + row_added[i]; };
  float held[kNormHeld + 1];
  float squares = 0;
#pragma unroll
  for (int k = 0; k < kNormHeld; ++k) {
    const int i = lane + k * kNormLanes;
    held[k] = i < hidden ? sum(i) : 0.0f;
  }
#pragma unroll
  for (int k = 0; k < kNormHeld; ++k) {
    const int i = lane + k * kNormLanes;
    if (i < hidden) row[i] = held[k];
    squares = fmaf(held[k], held[k], squares);
  }
  const int rest = lane + kNormHeld * kNormLanes;
  for (int i = rest; i < hidden; i += kNormLanes) {
    const float value = sum(i);
    row[i] = value;
    squares = fmaf(value, value, squares);
  }
  if constexpr (kNormLanes > 1) squares = block_sum(squares);
  const float factor = 1 / sqrtf(squares / static_cast<float>(hidden) + epsilon);
  T* const to = out + t * stride;
#pragma unroll
  for (int k = 0; k < kNormHeld; ++k) {
    const int i = lane + k * kNormLanes;
    if (i < stride) put(to + i, held[k] * factor * weights[k]);
  }
  for (int i = rest; i < stride; i += kNormLanes) {
    put(to + i, i < hidden ? row[i] * factor * weight[i] : 0.0f);
  }
}

/// Like look_up, for a table in 4 bits with rows of `stored` columns.
__global__ void look_up_int4(int tokens, int hidden, int stored,
                             const std::int32_t* __restrict__ ids,
                             const std::uint8_t* __restrict__ packed,
                             const __half* __restrict__ scales, float* __restrict__ x) {
  gpu::let_next_kernel_begin();
  const std::int64_t t = row_of_team();
  if (t >= tokens) return;
  const std::int64_t first = std::int64_t{ids[t]} * stored;
  for (int i = lane_of_team(); i < hidden; i += kRowLanes) {
    const std::int64_t at = first + i;
    const int code = packed[at / 2] >> (at % 2 == 0 ? 0 : 4) & 15;
    x[t * hidden + i] =
        gpu::to_float(scales[at / kInt4Group]) * static_cast<float>(code - kInt4Zero);
  }
}

/// Where the outputs of the query, key and value projections go.
struct HeadSplit {
  int tokens;
  int query_heads;
  int kv_heads;
  int dim;
  int stored_dim;  ///< of a query, key and value; numbers beyond dim stay zero
  int table_width;
  float epsilon;
  float query_scale;
  const std::int32_t* positions;  ///< [tokens]
  const std::int32_t* table;      ///< [tokens][table_width]
  const float* angles;            ///< cosine and sine; [position][dim / 2][2]
  const float* bias;              ///< [outputs], or null
  const float* query_norm;        ///< [dim], or null
  const float* key_norm;          ///< [dim], or null
};

/// One team per head: adds the bias, applies the norm, rotates queries and keys (element i with i +
/// dim / 2) by the position's angles, and stores keys and values in their page.
template <class T>
__global__ void split_heads(HeadSplit s, const float* projected, T* __restrict__ q,
                            T* __restrict__ keys, T* __restrict__ values) {
  gpu::let_next_kernel_begin();
  const int heads = s.query_heads + 2 * s.kv_heads;
  const std::int64_t row = row_of_team();
  if (row >= std::int64_t{s.tokens} * heads) return;
  const std::int64_t t = row / heads;
  const int head = static_cast<int>(row % heads);
  const bool is_query = head < s.query_heads;
  const bool is_value = head >= s.query_heads + s.kv_heads;
  const float* from = projected + row * s.dim;
  const float* bias = s.bias == nullptr ? nullptr : s.bias + std::int64_t{head} * s.dim;
  const float* norm = is_query ? s.query_norm : is_value ? nullptr : s.key_norm;
  const auto value = [&](int i) { return bias == nullptr ? from[i] : from[i] + bias[i]; };
  const int position = s.positions[t];
  gpu::wait_for_kernel_before();

  float factor = 1;
  if (norm != nullptr) {
    float squares = 0;
    for (int i = lane_of_team(); i < s.dim; i += kRowLanes) {
      squares = fmaf(value(i), value(i), squares);
    }
    squares = gpu::team_sum<kRowLanes>(squares);
    factor = 1 / sqrtf(squares / static_cast<float>(s.dim) + s.epsilon);
  }

  T* to = q + (t * s.query_heads + head) * s.stored_dim;
  if (!is_query) {
    const std::int64_t page = s.table[t * s.table_width + position / kPageTokens];
    const int kv_head = (head - s.query_heads) % s.kv_heads;
    to = (is_value ? values : keys) +
         ((page * s.kv_heads + kv_head) * kPageTokens + position % kPageTokens) * s.stored_dim;
  }
  const int half = s.dim / 2;
  const float* angles = s.angles + std::int64_t{position} * s.dim;
  const float scale = is_query ? s.query_scale : 1;
  for (int i = lane_of_team(); i < half; i += kRowLanes) {
    const float a = value(i) * factor * (norm == nullptr ? 1 : norm[i]);
    const float b = value(i + half) * factor * (norm == nullptr ? 1 : norm[i + half]);
    const float cosine = is_value ? 1 : angles[2 * i];
    const float sine = is_value ? 0 : angles[2 * i + 1];
    put(to + i, scale * (a * cosine - b * sine));
    put(to + i + half, scale * (b * cosine + a * sine));
  }
}

/// out[t][i] = silu(gate) * up, which are one after the other in x[t]; in rows of `stride` padded
/// with zeros.
template <class T>
__global__ void gate(int stride, int inner, const float* x, T* __restrict__ out) {
  gpu::let_next_kernel_begin();
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= stride) return;
  const std::int64_t t = blockIdx.y;
  const float* const gates = x + t * 2 * inner;
  gpu::wait_for_kernel_before();
  float value = 0;
  if (column < inner) {
    const float up = gates[inner + column];
    value = gates[column] / (1 + expf(-gates[column])) * up;
  }
  put(out + t * stride + column, value);
}

/// Joins the heads of each token, `dim` numbers out of `stored_dim`, in rows of `stride` padded
/// with zeros.
template <class T>
__global__ void join_heads(int stride, int heads, int dim, int stored_dim, const float* x,
                           T* __restrict__ out) {
  gpu::let_next_kernel_begin();
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= stride) return;
  const std::int64_t t = blockIdx.y;
  const std::int64_t head = t * heads + column / dim;
  const float* const from = x + head * stored_dim + column % dim;
  gpu::wait_for_kernel_before();
  put(out + t * stride + column, column < heads * dim ? *from : 0.0f);
}

}  // namespace engine
