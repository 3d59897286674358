// SPDX-License-Identifier: MIT
// Pieces of kernels in which several lanes share a row of numbers: wide loads, products, sums.
//
// On a GPU a row belongs to a team of adjacent lanes, so that their loads touch adjacent bytes. On
// a CPU one core reads a whole row fastest, so a team is one thread.
#pragma once

#include "gpu/detail/to_float.hpp"
#include "gpu/features.hpp"
#include "gpu/kernel.hpp"

// Provided by the backend:
//   T load_now(const T* from)       T = uint4 or __half: a load that stays where it is written, so
//                                   that a kernel can have many in flight before it needs the
//                                   first; nobody may write there while the kernel runs
//   T load_once_now(const T* from)  the same for data that this kernel reads once: not kept in L1
//   unsigned and_or(word, mask, bits)  (word & mask) | bits
//   float exp2_flushed(float x)     2^x; may be zero below 2^-126
#include "gpu/backend/lanes.hpp"

// What a lane does with its own part of a row, an array of floats:
//   class Packed<kCount, T>         kCount adjacent numbers as loaded, possibly still in flight
//     explicit Packed(const T* from, bool is_there = true)
//                                   on a GPU `from` is aligned to 16 bytes. If `is_there` is false,
//                                   nothing is read, and the numbers are zeros
//     void to_floats(float (&to)[kPart], int first = 0) const
//                                   kPart of them from `first` on (on a GPU, all of them)
//   void load_nibbles(const std::uint8_t* from, float (&low)[kCount], float (&high)[kCount])
//                                   the low and the high four bits of kCount bytes
//   class DotSum<kCount>            a running sum of products, kCount at a time: one chain of sums
//                                   on a GPU, several on a CPU, where a single chain would wait for
//                                   every addition
//     explicit DotSum(float start = 0)
//     void add(const float (&a)[kCount], const float (&b)[kCount])
//     void add_scaled(const DotSum& other, float factor)
//                                   adds the other sum times a factor, chain by chain: adding up
//                                   the numbers of a chain is slow, and total() does it only once
//     float total() const
//   class TeamRows<kRows>           the rows of a team that loads each input once for all of them:
//                                   those that this machine reads fastest together
//     TeamRows(std::int64_t team, std::int64_t rows)
//     bool has(int i) const         whether the matrix has row i of this team. A team without its
//                                   first row has none
//     std::int64_t operator[](int i) const    its number
//     static std::int64_t teams(std::int64_t rows)
//                                   teams that have rows: those from 0 on
//   void add_scaled(float (&sum)[kCount], float factor, const float (&x)[kCount])
//                                   sum += factor * x
//   void exp2_each(float (&x)[kCount])
//                                   replaces each x by 2^x; zero below 2^-126
#include "gpu/backend/row.hpp"

namespace gpu {

/// Lanes of a team: `on_gpu` (a power of two, at most 32) on a GPU, one on the CPU.
constexpr int team_lanes(int on_gpu) {
  return Features::kIsGpu ? on_gpu : 1;
}

/// kCount adjacent numbers as floats; see Packed.
template <int kCount, class T>
__device__ __forceinline__ void load_floats(const T* from, float (&to)[kCount]) {
  Packed<kCount, T>(from).to_floats(to);
}

/// sum plus the kCount products of a and b.
template <int kCount>
__device__ __forceinline__ float dot(const float (&a)[kCount], const float (&b)[kCount],
                                     float sum = 0) {
  DotSum<kCount> products(sum);
  products.add(a, b);
  return products.total();
}

/// Sum over the kLanes lanes of a team; every lane gets it.
template <int kLanes>
__device__ __forceinline__ float team_sum(float value) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(kFullMask, value, distance, kLanes);
  }
  return value;
}

/// Sums kCount numbers at once (a power of two) over the kLanes lanes of a team. Lane l gets its
/// share of the totals in values[0] ...: those with numbers l * kCount / kLanes ... In each step a
/// lane sends half of what it holds to the other half of the team, so that kCount numbers take
/// about kCount shuffles; one by one, each would take log2(kLanes).
template <int kLanes, class T, int kCount>
__device__ __forceinline__ void team_sums(T (&values)[kCount]) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  int count = kCount;
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    const bool is_upper = (lane & distance) != 0;
    if (count == 1) {
      values[0] += __shfl_xor_sync(kFullMask, values[0], distance, kLanes);
      continue;
    }
    count /= 2;
#pragma unroll
    for (int i = 0; i < kCount / 2; ++i) {
      if (i >= count) break;
      const T kept = is_upper ? values[i + count] : values[i];
      const T sent = is_upper ? values[i] : values[i + count];
      values[i] = kept + __shfl_xor_sync(kFullMask, sent, distance, kLanes);
    }
  }
}

}  // namespace gpu
