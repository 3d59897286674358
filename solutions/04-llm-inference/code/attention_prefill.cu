// SPDX-License-Identifier: MIT
// Causal grouped-query attention of all tokens of a prompt, in tiles of queries and keys.
// T is float, or a counting number when the work is counted: write T, not float.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "gpu/async_copy.hpp"
#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/tile.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

//@solve 04.attention_prefill.kernel: write the kernel: one tile of queries per block.
namespace tile = gpu::tile;

/// An AMD GPU: its warps have 64 lanes, its blocks 64 KiB of shared memory.
constexpr bool kIsWide = tile::kLanes == 64;
constexpr int kWarps = !gpu::Features::kIsGpu ? 1 : kIsWide ? 2 : 4;
constexpr int kThreads = kWarps * tile::kLanes;
/// Tiles of queries per warp: keys and values that it loads serve all of them.
constexpr int kRowTiles = gpu::Features::kIsGpu ? 2 : 4;
constexpr int kWarpQueries = kRowTiles * tile::kSide;
constexpr int kQueries = kWarps * kWarpQueries;  // per block
constexpr int kKeys = kIsWide ? 32 : 64;         // per turn
constexpr int kKeyTiles = kKeys / tile::kSide;
constexpr float kLog2E = 1.4426950408889634f;
/// A weight is at most 2 to this power: smaller growth does not rescale a row's sums.
constexpr float kLargestExponent = 8;

/// Distance between rows in shared memory, in numbers. 16 bytes of each of eight rows then cover
/// every bank exactly once: the distance is an odd multiple of 16 bytes.
template <int kDim>
constexpr int kStride = kDim + 8;
template <int kDim>
constexpr std::size_t kSharedBytes = sizeof(__nv_bfloat16) *
                                     static_cast<std::size_t>((kQueries + 4 * kKeys) *
                                                              kStride<kDim>);

/// Starts copying kRows rows, of which `there` exist, and closes the group.
template <int kRows, int kDim>
__device__ __forceinline__ void copy_rows(__nv_bfloat16* to, const __nv_bfloat16* from, int there) {
  constexpr int kPieces = kDim / 8;  // of 16 bytes
#pragma unroll
  for (int i = static_cast<int>(threadIdx.x); i < kRows * kPieces; i += kThreads) {
    const int row = i / kPieces;
    const int column = i % kPieces * 8;
    const bool is_there = row < there;
    gpu::copy_async(to + row * kStride<kDim> + column, from + (is_there ? row * kDim + column : 0),
                    is_there);
  }
  gpu::commit_copies();
}

template <class T, int kCount>
__device__ __forceinline__ void exp2_each(T (&x)[kCount]) {
  if constexpr (std::is_same_v<T, float>) {
    gpu::exp2_each(x);
  } else {
    for (T& number : x) number = exp2f(number);
  }
}

/// A warp's queries, and its running sums over the keys so far.
template <class T, int kDim>
class Rows {
 public:
  using Sum = tile::Sum<T>;

  __device__ Rows() {
#pragma unroll
    for (int t = 0; t < kRowTiles; ++t) {
#pragma unroll
      for (int r = 0; r < Sum::kRows; ++r) {
        maximum_[t][r] = -FLT_MAX;
        sum_[t][r] = 0;
      }
    }
  }

  /// scores = q k^T, for the rows at `q` and kKeys keys.
  __device__ __forceinline__ void multiply(const __nv_bfloat16* q, const __nv_bfloat16* k) {
#pragma unroll
    for (int t = 0; t < kRowTiles; ++t) {
#pragma unroll
      for (int j = 0; j < kKeyTiles; ++j) score_[t][j] = Sum();
    }
#pragma unroll
    for (int d = 0; d < kDim; d += tile::kSide) {
      tile::Left query[kRowTiles];
#pragma unroll
      for (int t = 0; t < kRowTiles; ++t) {
        query[t].load(q + t * tile::kSide * kStride<kDim> + d, kStride<kDim>);
      }
#pragma unroll
      for (int j = 0; j < kKeyTiles; ++j) {
        tile::Right key;
        key.load_columns(k + j * tile::kSide * kStride<kDim> + d, kStride<kDim>);
#pragma unroll
        for (int t = 0; t < kRowTiles; ++t) score_[t][j].add(query[t], key);
      }
    }
  }

  /// Masks the keys that a query must not see: query `i` of the warp sees the first `seen` + i of
  /// these.
  __device__ __forceinline__ void mask(int seen) {
#pragma unroll
    for (int t = 0; t < kRowTiles; ++t) {
#pragma unroll
      for (int r = 0; r < Sum::rows(); ++r) {
        const int own = seen + t * tile::kSide + Sum::row(r);
#pragma unroll
        for (int j = 0; j < kKeyTiles; ++j) {
#pragma unroll
          for (int c = 0; c < Sum::kColumns; ++c) {
            if (j * tile::kSide + Sum::column(c) >= own) score_[t][j].at(r, c) = -INFINITY;
          }
        }
      }
    }
  }

  /// Turns scores into weights and adds the weighted values. A row's sums are scaled down if its
  /// maximum has grown so much that weights would become large.
  __device__ __forceinline__ void add(const __nv_bfloat16* v, T scale) {
    bool has_grown = false;
    T factor[kRowTiles][Sum::kRows];
#pragma unroll
    for (int t = 0; t < kRowTiles; ++t) {
#pragma unroll
      for (int r = 0; r < Sum::rows(); ++r) {
        T highest = maximum_[t][r];
#pragma unroll
        for (int j = 0; j < kKeyTiles; ++j) {
#pragma unroll
          for (int c = 0; c < Sum::kColumns; ++c) highest = fmaxf(highest, score_[t][j].at(r, c));
        }
        highest = tile::over_row(highest, [](T a, T b) { return fmaxf(a, b); });
        factor[t][r] = T(1);
        if (scale * (highest - maximum_[t][r]) > T(kLargestExponent)) {
          has_grown = true;
          T shrink[1] = {scale * (maximum_[t][r] - highest)};
          exp2_each(shrink);
          factor[t][r] = shrink[0];
          maximum_[t][r] = highest;
        }
      }
    }
    if (tile::any(has_grown)) shrink(factor);
#pragma unroll
    for (int j = 0; j < kKeyTiles; ++j) {
      tile::Left weight[kRowTiles];
#pragma unroll
      for (int t = 0; t < kRowTiles; ++t) weight[t] = weights_of(t, j, scale);
#pragma unroll
      for (int d = 0; d < kDim / tile::kSide; ++d) {
        tile::Right value;
        value.load_rows(v + j * tile::kSide * kStride<kDim> + d * tile::kSide, kStride<kDim>);
#pragma unroll
        for (int t = 0; t < kRowTiles; ++t) value_[t][d].add(weight[t], value);
      }
    }
  }

  /// Writes the first `there` rows.
  __device__ __forceinline__ void write(T* out, int there) {
#pragma unroll
    for (int t = 0; t < kRowTiles; ++t) {
#pragma unroll
      for (int r = 0; r < Sum::kRows; ++r) {
        // Each of the lanes that hold a row has the sum of its own columns.
        const T sum = tile::over_row(sum_[t][r], [](T a, T b) { return a + b; });
        const int row = t * tile::kSide + Sum::row(r);
        if (r >= Sum::rows() || row >= there) continue;
        const T share = sum == T(0) ? T(0) : T(1) / sum;
#pragma unroll
        for (int d = 0; d < kDim / tile::kSide; ++d) {
#pragma unroll
          for (int c = 0; c < Sum::kColumns; ++c) {
            out[row * kDim + d * tile::kSide + Sum::column(c)] = share * value_[t][d].at(r, c);
          }
        }
      }
    }
  }

 private:
  /// Multiplies each row's sums by its factor.
  __device__ __forceinline__ void shrink(const T (&factor)[kRowTiles][Sum::kRows]) {
#pragma unroll
    for (int t = 0; t < kRowTiles; ++t) {
#pragma unroll
      for (int r = 0; r < Sum::rows(); ++r) {
        sum_[t][r] *= factor[t][r];
#pragma unroll
        for (int d = 0; d < kDim / tile::kSide; ++d) {
#pragma unroll
          for (int c = 0; c < Sum::kColumns; ++c) value_[t][d].at(r, c) *= factor[t][r];
        }
      }
    }
  }

  /// The weights of one tile of scores, which are also added to the sums of their rows.
  __device__ __forceinline__ tile::Left weights_of(int t, int j, T scale) {
#pragma unroll
    for (int r = 0; r < Sum::rows(); ++r) {
      const T least = -scale * maximum_[t][r];
      T weight[Sum::kColumns];
#pragma unroll
      for (int c = 0; c < Sum::kColumns; ++c) {
        weight[c] = fmaf(scale, score_[t][j].at(r, c), least);
      }
      exp2_each(weight);
#pragma unroll
      for (int c = 0; c < Sum::kColumns; ++c) {
        sum_[t][r] += weight[c];
        score_[t][j].at(r, c) = weight[c];
      }
    }
    return score_[t][j].rounded();
  }

  Sum score_[kRowTiles][kKeyTiles];
  Sum value_[kRowTiles][kDim / tile::kSide];
  T maximum_[kRowTiles][Sum::kRows];
  T sum_[kRowTiles][Sum::kRows];
};

/// Block (h, b): query head h, and the b-th tile of queries from the end. The last queries have the
/// most keys, and the longest work starts first.
template <class T, int kDim>
__global__ __launch_bounds__(kThreads, 2) void attention_prefill_kernel(
    int tokens, int context, int ratio, const __nv_bfloat16* __restrict__ q,
    const __nv_bfloat16* __restrict__ k, const __nv_bfloat16* __restrict__ v, T* __restrict__ out) {
  auto* const queries = gpu::dynamic_shared<__nv_bfloat16>();
  __nv_bfloat16* const tiles = queries + kQueries * kStride<kDim>;  // keys, values, keys, values
  const int head = static_cast<int>(blockIdx.x);
  const int first = static_cast<int>(gridDim.y - 1 - blockIdx.y) * kQueries;
  const int last = min(first + kQueries, tokens);
  const int cached = context - tokens;  // before the prompt's first token
  const int end = cached + last;        // end of the keys that the last query sees
  const std::int64_t own = (std::int64_t{head} * tokens + first) * kDim;
  const std::int64_t cache = std::int64_t{head / ratio} * context * kDim;
  const int warp_row = static_cast<int>(threadIdx.x) / tile::kLanes * kWarpQueries;
  const T scale = kLog2E * rsqrtf(static_cast<float>(kDim));

  const auto copy = [&](int begin) {
    __nv_bfloat16* const to = tiles + begin / kKeys % 2 * 2 * kKeys * kStride<kDim>;
    const std::int64_t from = cache + std::int64_t{begin} * kDim;
    copy_rows<kKeys, kDim>(to, k + from, end - begin);
    copy_rows<kKeys, kDim>(to + kKeys * kStride<kDim>, v + from, end - begin);
  };
  copy_rows<kQueries, kDim>(queries, q + own, last - first);
  copy(0);
  Rows<T, kDim> rows;
  const auto turn = [&](int begin, auto is_masked) {
    gpu::wait_copies<0>();
    __syncthreads();  // this tile is complete, and the previous one is no longer needed
    if (begin + kKeys < end) copy(begin + kKeys);
    // A warp whose last query comes before these keys has no work on them.
    if (is_masked.value && begin >= cached + first + warp_row + kWarpQueries) return;
    const __nv_bfloat16* const keys = tiles + begin / kKeys % 2 * 2 * kKeys * kStride<kDim>;
    rows.multiply(queries + warp_row * kStride<kDim>, keys);
    if constexpr (is_masked.value) rows.mask(cached + first + warp_row + 1 - begin);
    rows.add(keys + kKeys * kStride<kDim>, scale);
  };
  int begin = 0;
  // Keys that all queries of the block see need no mask.
  for (; begin + kKeys <= cached + first + 1; begin += kKeys) turn(begin, std::false_type{});
  for (; begin < end; begin += kKeys) turn(begin, std::true_type{});
  rows.write(out + own + std::int64_t{warp_row} * kDim, last - first - warp_row);
}
//@stub
//| // A block per tile of queries and query head is a good start; tiles of keys and values pass
//| // through shared memory. Keep a running maximum and sum for each query.
//@end

/// out = softmax(q k^T / sqrt(head_dim)) v on the device, causal: the prompt is the end of the
/// context, so query i sees the keys 0 ... context - tokens + i.
/// @param context keys; at least as many as the prompt has tokens
/// @param q [query_heads][tokens][head_dim]; query_heads is a multiple of kv_heads
/// @param k, v [kv_heads][context][head_dim]; query head h reads key-value head
///   h / (query_heads / kv_heads)
/// @param out [query_heads][tokens][head_dim]; head_dim is 64 or 128
template <class T>
void attention_prefill(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                       gpu::DeviceSpan<const __nv_bfloat16> q,
                       gpu::DeviceSpan<const __nv_bfloat16> k,
                       gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<T> out) {
  //@solve 04.attention_prefill.kernel: launch it; the prompt's length follows from the size of q.
  const auto launch = [&](auto dim) {
    const auto tokens = static_cast<std::int64_t>(q.size()) / query_heads / dim.value;
    const dim3 grid(static_cast<unsigned>(query_heads), gpu::blocks_for(tokens, kQueries));
    gpu::launch<attention_prefill_kernel<T, dim.value>>(
        {.grid = grid, .block = kThreads, .shared_bytes = kSharedBytes<dim.value>},
        static_cast<int>(tokens), static_cast<int>(context), query_heads / kv_heads, q.data(),
        k.data(), v.data(), out.data());
  };
  if (head_dim == 64) return launch(std::integral_constant<int, 64>{});
  if (head_dim == 128) return launch(std::integral_constant<int, 128>{});
  throw std::invalid_argument("head_dim " + std::to_string(head_dim) + " is not 64 or 128");
  //@stub
  //| harness::unsolved("04.attention_prefill.kernel",
  //|                   "topics/04-llm-inference/README.md#prefill-attention");
  //@end
}

constexpr int kQueryHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;

HARNESS_COUNTED_LAB(attention_prefill, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto tokens = static_cast<double>(n);
                       return {2 * kQueryHeads * kHeadDim * tokens * (tokens + 1),
                               (6.0 * kQueryHeads + 4 * kKvHeads) * kHeadDim * tokens};
                     },
                     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
                       const bool is_cache = buffer == 1 || buffer == 2;
                       return n * kHeadDim * (is_cache ? kKvHeads : kQueryHeads);
                     },
                     .integer_scalar = [](std::int64_t n, int scalar) -> std::int64_t {
                       const std::int64_t values[] = {kQueryHeads, kKvHeads, kHeadDim, n};
                       return values[scalar];
                     },
                     .default_n = gpu::Features::kIsGpu ? 8192 : 512});
