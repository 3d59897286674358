// SPDX-License-Identifier: MIT
// Pieces of kernels in which several lanes share a row of numbers: wide loads, products, sums.
//
// On a GPU a row belongs to a team of neighbouring lanes, so that their loads touch neighbouring
// bytes. A core of a CPU reads a whole row best by itself: there a team is one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/features.hpp"
#include "gpu/kernel.hpp"

// From the backend:
//   T load_now(const T* from)       T = uint4 or __half: a load that stays where it is written, so
//                                   that a kernel can have many under way before it needs the
//                                   first; nobody writes there while the kernel runs
//   T load_once_now(const T* from)  the same for what this kernel reads once: not kept in L1
//   unsigned and_or(word, mask, bits)  (word & mask) | bits
#include "gpu/backend/lanes.hpp"

namespace gpu {

/// Lanes of a team: `on_gpu` (a power of two, at most 32) on a GPU, one on the CPU.
constexpr int team_lanes(int on_gpu) {
  return Features::kIsGpu ? on_gpu : 1;
}

__device__ __forceinline__ float to_float(float value) {
  return value;
}
__device__ __forceinline__ float to_float(__half value) {
  return __half2float(value);
}
__device__ __forceinline__ float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
__device__ __forceinline__ float to_float(std::int8_t value) {
  return static_cast<float>(value);
}

/// Two halves from the bits of a word.
template <bool kOnGpu = Features::kIsGpu>
__device__ __forceinline__ __half2 half2_of(unsigned word) {
  if constexpr (kOnGpu) {
    return *reinterpret_cast<const __half2*>(&word);
  } else {
    return __halves2half2(__ushort_as_half(static_cast<unsigned short>(word & 0xffffu)),
                          __ushort_as_half(static_cast<unsigned short>(word >> 16)));
  }
}

/// The bits of two halves as a word.
template <bool kOnGpu = Features::kIsGpu>
__device__ __forceinline__ unsigned word_of(__half2 pair) {
  if constexpr (kOnGpu) {
    return *reinterpret_cast<const unsigned*>(&pair);
  } else {
    return static_cast<unsigned>(__half_as_ushort(__low2half(pair))) |
           static_cast<unsigned>(__half_as_ushort(__high2half(pair))) << 16;
  }
}

namespace detail {

// What one 32-bit word holds. Bits are moved into place where converting instructions are slow.
__device__ __forceinline__ void unpack(unsigned word, const float*, float* to) {
  to[0] = __uint_as_float(word);
}
__device__ __forceinline__ void unpack(unsigned word, const __half*, float* to) {
  const float2 pair = __half22float2(half2_of(word));
  to[0] = pair.x;
  to[1] = pair.y;
}
__device__ __forceinline__ void unpack(unsigned word, const __nv_bfloat16*, float* to) {
  to[0] = __uint_as_float(word << 16);
  to[1] = __uint_as_float(word & 0xffff0000u);
}
__device__ __forceinline__ void unpack(unsigned word, const std::int8_t*, float* to) {
  // A byte in the low bits of 2^23 is 2^23 + byte; flipping its sign bit first adds 128.
  const unsigned biased = word ^ 0x80808080u;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    to[i] = __uint_as_float(__byte_perm(biased, 0x4b000000u, 0x7440u + i)) - 8388736.0f;
  }
}

}  // namespace detail

/// kCount neighbouring numbers on their way: on a GPU as loaded, 16 bytes at a time, so that many
/// loads can be in flight in few registers; on the CPU, whose loads need no hiding, where they lie.
template <int kCount, class T>
class Packed {
 public:
  /// On a GPU `from` is aligned to 16 bytes. Without numbers (`is_there` false), nothing is read,
  /// and they are zeros.
  __device__ __forceinline__ explicit Packed(const T* from, bool is_there = true) {
    if constexpr (Features::kIsGpu) {
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        words_[i] = is_there ? reinterpret_cast<const uint4*>(from)[i] : uint4{0, 0, 0, 0};
      }
    } else {
      from_ = is_there ? from : nullptr;
    }
  }

  __device__ __forceinline__ void to_floats(float (&to)[kCount]) const {
    if constexpr (Features::kIsGpu) {
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        float* part = to + i * 4 * kPerWord;
        const T* kind = nullptr;
        detail::unpack(words_[i].x, kind, part);
        detail::unpack(words_[i].y, kind, part + kPerWord);
        detail::unpack(words_[i].z, kind, part + 2 * kPerWord);
        detail::unpack(words_[i].w, kind, part + 3 * kPerWord);
      }
    } else {
      for (int i = 0; i < kCount; ++i) to[i] = from_ == nullptr ? 0.0f : to_float(from_[i]);
    }
  }

 private:
  static constexpr int kPerWord = 4 / static_cast<int>(sizeof(T));
  static constexpr int kLoads = kCount / (4 * kPerWord);
  static_assert(!Features::kIsGpu || kCount % (4 * kPerWord) == 0, "whole loads of 16 bytes");

  uint4 words_[Features::kIsGpu ? kLoads : 1];
  const T* from_;
};

/// kCount neighbouring numbers as floats; see Packed.
template <int kCount, class T>
__device__ __forceinline__ void load_floats(const T* from, float (&to)[kCount]) {
  Packed<kCount, T>(from).to_floats(to);
}

/// sum + a b, of kCount products. On the CPU in independent chains, which the compiler may put side
/// by side into vectors: it does not reorder a sum by itself.
template <int kCount>
__device__ __forceinline__ float dot(const float (&a)[kCount], const float (&b)[kCount],
                                     float sum = 0) {
  if constexpr (Features::kIsGpu || kCount % 16 != 0) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) sum = fmaf(a[i], b[i], sum);
  } else {
    float chain[16] = {};
    for (int i = 0; i < kCount; i += 16) {
      for (int c = 0; c < 16; ++c) chain[c] = fmaf(a[i + c], b[i + c], chain[c]);
    }
    for (int c = 0; c < 16; ++c) sum += chain[c];
  }
  return sum;
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

/// Sums over the kLanes lanes of a team of kCount numbers at once (a power of two). Lane l gets the
/// first of them from values[0] on: those with numbers l * kCount / kLanes ... Half of what a lane
/// holds goes to the other half of the team in each step, so that kCount numbers cost about kCount
/// exchanges, where one by one each would cost log2(kLanes).
template <int kLanes, int kCount>
__device__ __forceinline__ void team_sums(float (&values)[kCount]) {
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
      const float kept = is_upper ? values[i + count] : values[i];
      const float sent = is_upper ? values[i] : values[i + count];
      values[i] = kept + __shfl_xor_sync(kFullMask, sent, distance, kLanes);
    }
  }
}

}  // namespace gpu
