// SPDX-License-Identifier: MIT
// Decode attention over a cache in INT8: each key and each value has its own scale in FP16.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

//@solve 04.attention_int8.kernel: write the kernel: a scale belongs to a score, or to a weight.
constexpr int kThreads = gpu::Features::kIsGpu ? 128 : 1;
constexpr float kLog2E = 1.4426950408889634f;

/// Numbers per lane: 16 bytes of the cache, or a whole row.
template <int kDim>
constexpr int kPart = gpu::Features::kIsGpu ? 16 : kDim;
template <int kDim>
constexpr int kLanes = gpu::team_lanes(kDim > 64 ? 8 : 4);
template <int kDim>
constexpr int kTeams = kThreads / kLanes<kDim>;

template <class T, int kCount>
__device__ __forceinline__ T dot_of(const T (&a)[kCount], const float (&b)[kCount]) {
  if constexpr (gpu::Features::kIsGpu) {
    T sum = 0;
#pragma unroll
    for (int i = 0; i < kCount; ++i) sum = fmaf(a[i], T(b[i]), sum);
    return sum;
  } else {
    return gpu::dot(a, b);
  }
}
template <class T, int kCount>
__device__ __forceinline__ void add_scaled(T (&sum)[kCount], T factor, const float (&x)[kCount]) {
  if constexpr (gpu::Features::kIsGpu) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) sum[i] = fmaf(factor, T(x[i]), sum[i]);
  } else {
    gpu::add_scaled(sum, factor, x);
  }
}

/// A team's query heads, which share a key-value head, and their running sums.
template <class T, int kDim, int kHeads>
struct Team {
  static constexpr int kOwn = kPart<kDim>;

  T query[kHeads][kOwn];  // times log2 e and 1 / sqrt(dim)
  T value[kHeads][kOwn] = {};
  T maximum[kHeads];
  T sum[kHeads] = {};

  __device__ Team(const __nv_bfloat16* q, int heads, bool has_part) {
    const T scale = kLog2E * rsqrtf(static_cast<float>(kDim));
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
      float numbers[kOwn];
      gpu::Packed<kOwn, __nv_bfloat16>(q + h * kDim, h < heads && has_part).to_floats(numbers);
#pragma unroll
      for (int i = 0; i < kOwn; ++i) query[h][i] = scale * T(numbers[i]);
      maximum[h] = -FLT_MAX;
    }
  }

  /// Attends to one token, if its key and value exist.
  __device__ __forceinline__ void attend(const float (&key)[kOwn], T key_scale,
                                         const float (&row)[kOwn], T value_scale, bool is_there) {
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
      T score = key_scale * dot_of(query[h], key);
#pragma unroll
      for (int distance = kLanes<kDim> / 2; distance > 0; distance /= 2) {
        score += __shfl_xor_sync(gpu::kFullMask, score, distance, kLanes<kDim>);
      }
      if (!is_there) score = -INFINITY;
      const T highest = fmaxf(maximum[h], score);
      const T factor = exp2f(maximum[h] - highest);
      const T weight = exp2f(score - highest);
      maximum[h] = highest;
      sum[h] = fmaf(sum[h], factor, weight);
#pragma unroll
      for (int i = 0; i < kOwn; ++i) value[h][i] *= factor;
      add_scaled(value[h], weight * value_scale, row);
    }
  }
};

template <class T, int kDim, int kHeads>
__global__ __launch_bounds__(kThreads) void attention_int8_kernel(
    int ratio, std::int64_t context, const __nv_bfloat16* __restrict__ q,
    const std::int8_t* __restrict__ k, const __half* __restrict__ k_scales,
    const std::int8_t* __restrict__ v, const __half* __restrict__ v_scales, T* __restrict__ out) {
  constexpr int kOwn = kPart<kDim>;
  const std::int64_t group = blockIdx.y;
  const int first_head = static_cast<int>(blockIdx.x) * kHeads;
  const int heads = min(ratio - first_head, kHeads);
  const std::int64_t at = (group * ratio + first_head) * kDim;
  const int team = static_cast<int>(threadIdx.x) / kLanes<kDim>;
  const int begin = static_cast<int>(threadIdx.x) % kLanes<kDim> * kOwn;  // of the lane's numbers
  const bool has_part = begin < kDim;  // 80 numbers take five lanes with 16 each
  Team<T, kDim, kHeads> own(q + at + begin, heads, has_part);
  // All teams take the same number of turns, so that lanes meet in every exchange.
#pragma unroll 2
  for (std::int64_t turn = 0; turn < context; turn += kTeams<kDim>) {
    const std::int64_t token = turn + team;
    const bool is_there = token < context && has_part;
    const std::int64_t row = group * context + (token < context ? token : 0);
    float key[kOwn];
    float value[kOwn];
    gpu::Packed<kOwn, std::int8_t>(k + row * kDim + begin, is_there).to_floats(key);
    gpu::Packed<kOwn, std::int8_t>(v + row * kDim + begin, is_there).to_floats(value);
    const T key_scale = is_there ? __half2float(k_scales[row]) : 0.0F;
    const T value_scale = is_there ? __half2float(v_scales[row]) : 0.0F;
    own.attend(key, key_scale, value, value_scale, token < context);
  }

  __shared__ T values[kTeams<kDim>][kHeads][kDim];
  __shared__ T sums[kTeams<kDim>][kHeads];
  __shared__ T maxima[kTeams<kDim>][kHeads];
#pragma unroll
  for (int h = 0; h < kHeads; ++h) {
    if (begin == 0) {
      sums[team][h] = own.sum[h];
      maxima[team][h] = own.maximum[h];
    }
    if (!has_part) continue;
#pragma unroll
    for (int i = 0; i < kOwn; ++i) values[team][h][begin + i] = own.value[h][i];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < heads * kDim; i += kThreads) {
    const int h = i / kDim;
    T highest = -FLT_MAX;
    for (int t = 0; t < kTeams<kDim>; ++t) highest = fmaxf(highest, maxima[t][h]);
    T total = 0;
    T weighted = 0;
    for (int t = 0; t < kTeams<kDim>; ++t) {
      const T factor = exp2f(maxima[t][h] - highest);
      total = fmaf(factor, sums[t][h], total);
      weighted = fmaf(factor, values[t][h][i % kDim], weighted);
    }
    out[at + i] = total == T(0) ? T(0) : weighted / total;
  }
}
//@stub
//| // The numbers of a key share one scale, so it can be multiplied once, with the score; that of a
//| // value with the token's weight. No number of the cache is written back to memory.
//@end

/// Like attention_decode, over a cache in INT8: a key or value is its numbers times its scale.
/// @param context tokens in every sequence's cache
/// @param q [batch][query_heads][head_dim]; query_heads is a multiple of kv_heads
/// @param k, v [batch][kv_heads][context][head_dim]; query head h reads key-value head
///   h / (query_heads / kv_heads)
/// @param k_scales, v_scales [batch][kv_heads][context]
/// @param out [batch][query_heads][head_dim]; head_dim is 64, 80 or 128
template <class T>
void attention_int8(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                    gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const std::int8_t> k,
                    gpu::DeviceSpan<const __half> k_scales, gpu::DeviceSpan<const std::int8_t> v,
                    gpu::DeviceSpan<const __half> v_scales, gpu::DeviceSpan<T> out) {
  //@solve 04.attention_int8.kernel: launch it; the batch follows from the size of q.
  const int ratio = query_heads / kv_heads;
  const auto groups = static_cast<unsigned>(q.size()) / (ratio * head_dim);
  const auto launch = [&](auto dim, auto heads) {
    const dim3 grid(gpu::blocks_for(ratio, heads.value), groups);
    gpu::launch<attention_int8_kernel<T, dim.value, heads.value>>(
        grid, kThreads, ratio, context, q.data(), k.data(), k_scales.data(), v.data(),
        v_scales.data(), out.data());
  };
  const auto with_heads = [&](auto dim) {
    if (ratio == 1) return launch(dim, std::integral_constant<int, 1>{});
    return launch(dim, std::integral_constant<int, 4>{});
  };
  switch (head_dim) {
    case 64:
      return with_heads(std::integral_constant<int, 64>{});
    case 80:
      return with_heads(std::integral_constant<int, 80>{});
    case 128:
      return with_heads(std::integral_constant<int, 128>{});
    default:
      throw std::invalid_argument("head_dim " + std::to_string(head_dim) + " is not 64, 80 or 128");
  }
  //@stub
  //| harness::unsolved("04.attention_int8.kernel",
  //|                   "topics/04-llm-inference/README.md#quantised-cache");
  //@end
}

constexpr int kQueryHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;
constexpr int kBatch = 4;

HARNESS_COUNTED_LAB(attention_int8, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const double pairs = static_cast<double>(n) * kBatch;
                       return {4.0 * kQueryHeads * kHeadDim * pairs,
                               2.0 * kKvHeads * (kHeadDim + 2) * pairs +
                                   6.0 * kBatch * kQueryHeads * kHeadDim};
                     },
                     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
                       const std::int64_t rows = n * kBatch * kKvHeads;
                       const std::int64_t heads = kBatch * kQueryHeads * kHeadDim;
                       const std::int64_t sizes[] = {
                           heads, rows * kHeadDim, rows, rows * kHeadDim, rows, heads};
                       return sizes[buffer];
                     },
                     .integer_scalar = [](std::int64_t n, int scalar) -> std::int64_t {
                       const std::int64_t values[] = {kQueryHeads, kKvHeads, kHeadDim, n};
                       return values[scalar];
                     },
                     .integer_element = [](std::int64_t, int, std::int64_t index) -> std::int64_t {
                       return index * 2654435761 % 255 - 127;
                     },
                     .default_n = 8192});
