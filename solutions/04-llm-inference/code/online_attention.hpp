// SPDX-License-Identifier: MIT
// Shared by the three decode-attention kernels: online softmax over keys and values, by teams.
#pragma once

#include <cfloat>
#include <cmath>

//@solve 04.attention.decode: code shared by your three attention kernels may go here.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"

namespace online {

/// Adjacent tokens that a team handles in one turn: their loads are in flight together, and their
/// position is looked up once.
constexpr int kTokens = 8;
/// Threads that a multiprocessor should hold: this caps the registers per thread at 128, or at 255
/// with eight heads.
constexpr int resident_threads(int heads) {
  return heads == 8 ? 256 : 512;
}
/// Threads per block, 128 or 256 on a GPU. A few large blocks leave few parts to merge; with eight
/// heads the state of 256 threads would not fit in 48 KiB of shared memory.
constexpr int block_threads(int heads, int wanted) {
  return !gpu::Features::kIsGpu ? 1 : heads == 8 ? 128 : wanted;
}
constexpr float kLog2E = 1.4426950408889634f;

/// Lanes, with 8 numbers or 16 bytes each, that hold a row of `dim`; a power of two.
constexpr int lanes_for(int dim) {
  int lanes = 1;
  while (lanes * 8 < dim) lanes *= 2;
  return lanes;
}

/// A contiguous cache: the position of `token` of one sequence and key-value head. Any cache must
/// hold kTokens consecutive rows starting at every multiple of kTokens.
struct Contiguous {
  const __nv_bfloat16* keys;
  const __nv_bfloat16* values;
  int dim;

  __device__ std::int64_t row(std::int64_t token) const { return token * dim; }
};

/// The state of one team: kHeads query heads that share a key-value head, and the tokens so far.
/// Scores are in units of log2 e, because the hardware computes exp2.
template <int kDim, int kHeads, int kThreads>
class Team {
 public:
  static constexpr int kLanes = gpu::team_lanes(lanes_for(kDim));
  static constexpr int kTeams = kThreads / kLanes;  // per block

  /// @param heads query heads that exist, at most kHeads; the rest computes zeros
  __device__ Team(const __nv_bfloat16* q, int heads)
      : lane_(static_cast<int>(threadIdx.x) % kLanes), has_part_(lane_ * kPart < kDim) {
    const float scale = kLog2E * rsqrtf(static_cast<float>(kDim));
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
      const Packed part = packed(q + h * kDim, h < heads);
#pragma unroll
      for (int c = 0; c < kChunks; ++c) {
        part.to_floats(query_[h][c], c * kChunk);
#pragma unroll
        for (int i = 0; i < kChunk; ++i) {
          query_[h][c][i] *= scale;
          value_[h][c][i] = 0;
        }
      }
    }
#pragma unroll
    for (int h = 0; h < kOwnHeads; ++h) {
      maximum_[h] = -FLT_MAX;
      sum_[h] = 0;
    }
  }

  /// Attends to the block's tokens, begin ... end - 1; the teams take turns with kTokens adjacent
  /// tokens each.
  template <class Cache>
  __device__ __forceinline__ void attend(const Cache& cache, std::int64_t begin, std::int64_t end) {
    constexpr int kTurn = kTokens * kTeams;
    const int team = static_cast<int>(threadIdx.x) / kLanes;
    std::int64_t first = begin + team * kTokens;
    std::int64_t row = row_of(cache, first, end);
    // All teams take the same number of turns, so that lanes meet in every shuffle.
    for (std::int64_t turn = begin; turn < end; turn += kTurn, first += kTurn) {
      // The position of the next turn's rows may need a table lookup: this turn hides its latency.
      const std::int64_t next = row_of(cache, first + kTurn, end);
      attend_turn(cache, row, end - first, std::make_integer_sequence<int, kTokens>{});
      row = next;
    }
  }

  /// Merges the teams of the block and calls put(head, i, value, sum, maximum) once for every head
  /// and number i of the row.
  template <class Put>
  __device__ __forceinline__ void merge(const Put& put) {
    __shared__ float values[kTeams][kHeads][kDim];
    __shared__ float sums[kTeams][kHeads];
    __shared__ float maxima[kTeams][kHeads];
    const int team = static_cast<int>(threadIdx.x) / kLanes;
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
      if (!has_part_) continue;
#pragma unroll
      for (int i = 0; i < kPart; ++i) {
        values[team][h][lane_ * kPart + i] = value_[h][i / kChunk][i % kChunk];
      }
    }
#pragma unroll
    for (int h = 0; h < kOwnHeads; ++h) {
      const float total = over_head_lanes(sum_[h], [](float a, float b) { return a + b; });
      sums[team][own_head() + h] = total;
      maxima[team][own_head() + h] = maximum_[h];
    }
    __syncthreads();
    for (int index = static_cast<int>(threadIdx.x); index < kHeads * kDim; index += kThreads) {
      const int h = index / kDim;
      float highest = -FLT_MAX;
      for (int t = 0; t < kTeams; ++t) highest = fmaxf(highest, maxima[t][h]);
      float total = 0;
      float weighted = 0;
      for (int t = 0; t < kTeams; ++t) {
        const float factor = exp2f(maxima[t][h] - highest);
        total = fmaf(factor, sums[t][h], total);
        weighted = fmaf(factor, values[t][h][index % kDim], weighted);
      }
      put(h, index % kDim, weighted, total, highest);
    }
  }

 private:
  static constexpr int kPart = gpu::Features::kIsGpu ? 8 : kDim;  // numbers per lane
  // A part is processed in chunks that stay in registers together with the sums: the whole part on
  // a GPU, 16 numbers of a whole row on a CPU, where two tokens at a time share the loads of the
  // queries.
  static constexpr int kChunk = gpu::Features::kIsGpu ? kPart : 16;
  static constexpr int kChunks = kPart / kChunk;
  static constexpr int kTogether = gpu::Features::kIsGpu || kHeads == 8 ? 1 : 2;
  // The scores of a turn, token by token for each head, are spread over the lanes: a lane owns kOwn
  // adjacent ones, and if there are fewer scores than lanes, kCopies lanes own the same score.
  static constexpr int kScores = kHeads * kTokens;
  static constexpr int kOwn = kScores > kLanes ? kScores / kLanes : 1;
  static constexpr int kCopies = kScores > kLanes ? 1 : kLanes / kScores;
  static constexpr int kOwnHeads = kOwn > kTokens ? kOwn / kTokens : 1;
  static constexpr int kOwnTokens = kOwn / kOwnHeads;
  static constexpr int kHeadLanes = kLanes * kOwnHeads / kHeads;  // owning scores of one head
  using Packed = gpu::Packed<kPart, __nv_bfloat16>;

  /// This lane's part of the row at `from`; zeros if it has none.
  __device__ __forceinline__ Packed packed(const __nv_bfloat16* from, bool is_there) const {
    return Packed(from + lane_ * kPart, is_there && has_part_);
  }
  /// Where a token's row starts. The block's last turn asks for tokens that do not exist.
  template <class Cache>
  __device__ __forceinline__ std::int64_t row_of(const Cache& cache, std::int64_t token,
                                                 std::int64_t end) const {
    return token < end ? cache.row(token) : 0;
  }
  __device__ __forceinline__ int own_head() const {
    return lane_ / kHeadLanes * kOwnHeads;
  }

  /// Applies combine over the lanes that own different tokens of the same head; all of them get the
  /// result.
  template <class Combine>
  __device__ __forceinline__ float over_head_lanes(float value, const Combine& combine) const {
#pragma unroll
    for (int distance = kHeadLanes / 2; distance >= kCopies; distance /= 2) {
      value = combine(value, __shfl_xor_sync(gpu::kFullMask, value, distance, kLanes));
    }
    return value;
  }
  /// Item `index` of kCount numbers spread over the lanes, kPerLane in each.
  template <int kCount, int kPerLane>
  __device__ __forceinline__ float from_owner(const float (&own)[kPerLane], int index) const {
    if constexpr (kLanes == 1) return own[index];
    return __shfl_sync(gpu::kFullMask, own[index % kPerLane], index * kLanes / kCount, kLanes);
  }

  /// Attends to kTokens tokens whose first row is at `offset`, of which `left` exist: all loads
  /// come before the first use.
  template <class Cache, int... kToken>
  __device__ __forceinline__ void attend_turn(const Cache& cache, std::int64_t offset,
                                              std::int64_t left,
                                              std::integer_sequence<int, kToken...>) {
    const Packed keys[] = {packed(cache.keys + offset + kToken * kDim, kToken < left)...};
    const Packed rows[] = {packed(cache.values + offset + kToken * kDim, kToken < left)...};
    float score[kScores];
#pragma unroll
    for (int u = 0; u < kTokens; u += kTogether) {
      gpu::DotSum<kChunk, 1> sums[kTogether][kHeads];
#pragma unroll
      for (int c = 0; c < kChunks; ++c) {
#pragma unroll
        for (int t = 0; t < kTogether; ++t) {
          float key[kChunk];
          keys[u + t].to_floats(key, c * kChunk);
#pragma unroll
          for (int h = 0; h < kHeads; ++h) sums[t][h].add(query_[h][c], key);
        }
      }
#pragma unroll
      for (int t = 0; t < kTogether; ++t) {
#pragma unroll
        for (int h = 0; h < kHeads; ++h) score[h * kTokens + u + t] = sums[t][h].total();
      }
    }
    gpu::team_sums<kLanes>(score);
    float weight[kOwn];
    float factor[kOwnHeads];
    weigh(score, left, weight, factor);
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
#pragma unroll
      for (int h = 0; h < kHeads; ++h) {
        const float shrink = from_owner<kHeads>(factor, h);
#pragma unroll
        for (int i = 0; i < kChunk; ++i) value_[h][c][i] *= shrink;
      }
#pragma unroll
      for (int u = 0; u < kTokens; ++u) {
        float row[kChunk];
        rows[u].to_floats(row, c * kChunk);
#pragma unroll
        for (int h = 0; h < kHeads; ++h) {
          gpu::add_scaled(value_[h][c], from_owner<kScores>(weight, h * kTokens + u), row);
        }
      }
    }
  }

  /// Turns the scores that this lane owns into weights, and returns the factor by which previous
  /// sums have to shrink.
  __device__ __forceinline__ void weigh(const float (&score)[kScores], std::int64_t left,
                                        float (&weight)[kOwn], float (&factor)[kOwnHeads]) {
    const int first_token = lane_ / kCopies * kOwnTokens % kTokens;
#pragma unroll
    for (int h = 0; h < kOwnHeads; ++h) {
      float highest = maximum_[h];
#pragma unroll
      for (int u = 0; u < kOwnTokens; ++u) {
        const bool is_there = first_token + u < left;
        weight[h * kOwnTokens + u] = is_there ? score[h * kOwnTokens + u] : -INFINITY;
        highest = fmaxf(highest, weight[h * kOwnTokens + u]);
      }
      highest = over_head_lanes(highest, [](float a, float b) { return fmaxf(a, b); });
      factor[h] = maximum_[h] - highest;
      maximum_[h] = highest;
#pragma unroll
      for (int u = 0; u < kOwnTokens; ++u) weight[h * kOwnTokens + u] -= highest;
    }
    gpu::exp2_each(factor);
    gpu::exp2_each(weight);
#pragma unroll
    for (int h = 0; h < kOwnHeads; ++h) {
      sum_[h] *= factor[h];
#pragma unroll
      for (int u = 0; u < kOwnTokens; ++u) sum_[h] += weight[h * kOwnTokens + u];
    }
  }

  int lane_;
  bool has_part_;  // 80 numbers take ten lanes with eight each, and six lanes have none
  float query_[kHeads][kChunks][kChunk];
  float value_[kHeads][kChunks][kChunk];
  // For the heads that this lane owns; the sum is over the tokens that it owns.
  float maximum_[kOwnHeads];
  float sum_[kOwnHeads];
};

/// Query heads per block, of `ratio` that share a key-value head.
constexpr int heads_of_block(int ratio) {
  return ratio == 1 ? 1 : ratio <= 4 ? 4 : 8;
}

/// Calls run(dim, heads) with both as compile-time constants.
template <class Run>
void with_constants(int head_dim, int ratio, const Run& run) {
  const auto with_heads = [&](auto dim) {
    switch (heads_of_block(ratio)) {
      case 1:
        return run(dim, std::integral_constant<int, 1>{});
      case 4:
        return run(dim, std::integral_constant<int, 4>{});
      default:
        return run(dim, std::integral_constant<int, 8>{});
    }
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
}

}  // namespace online
//@stub
//| // A header of your own, if you like: attention_decode.cu, attention_paged.cu and
//| // attention_split.cu differ in where a row is and in what happens to a block's result.
//@end
