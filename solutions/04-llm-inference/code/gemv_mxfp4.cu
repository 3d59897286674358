// SPDX-License-Identifier: MIT
// GEMV with weights in MXFP4: E2M1 in blocks of 32 that share a scale in E8M0; inputs in FP32.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/vector.hpp"
#include "harness/counted.hpp"

/// Adjacent weights of a row that share a scale.
constexpr int kBlock = 32;

//@solve 04.gemv_mxfp4.kernel: write the kernel: unpack, sum inside a block, scale the block's sum.
constexpr int kLanes = gpu::team_lanes(32);
constexpr int kPart = gpu::Features::kIsGpu ? 8 : kBlock;  // columns per lane and turn
constexpr int kRows = 4;  // per team: each input is loaded once for all of them
constexpr int kThreads = gpu::Features::kIsGpu ? 128 : 4;
/// 1 over the number that unpack() makes of a weight of 1.
constexpr float kUnits = gpu::Features::kIsGpu ? 16384.0f : 0.5f;

/// Twice the value of a four-bit code, which is an integer.
__device__ __forceinline__ float twice(unsigned code) {
  const unsigned exponent = code >> 1 & 3, fraction = code & 1;
  const unsigned normal = (2 | fraction) << exponent >> 1;  // for any exponent: no lane branches
  const unsigned size = exponent == 0 ? fraction : normal;
  const int number = static_cast<int>(size);
  return static_cast<float>((code & 8) != 0 ? -number : number);
}

/// Unpacks kPart weights of one block, starting at their first byte, scaled by 1 / kUnits. On a GPU
/// they are in column order, on a CPU even columns come before odd ones, the way its vectors unpack
/// them.
__device__ __forceinline__ void unpack(const std::uint8_t* from, float (&weights)[kPart]) {
  constexpr int kHalf = kPart / 2;
  if constexpr (gpu::Features::kIsGpu) {
    // E2M1's exponent and fraction become the lowest bits of a half's, which gives 2^-14 of the
    // number, subnormals included, two at a time. Columns i and i + 4 are 16 bits apart, like the
    // halves.
    unsigned word = *reinterpret_cast<const unsigned*>(from);
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      const unsigned halves = (word & 0x00070007u) << 9 | (word & 0x00080008u) << 12;
      const float2 pair = __half22float2(gpu::half2_of(halves));
      weights[i] = pair.x;
      weights[i + kHalf] = pair.y;
      word >>= 4;
    }
  } else {
    std::uint8_t bytes[kHalf];
    for (int i = 0; i < kHalf; ++i) bytes[i] = from[i];
    for (int i = 0; i < kHalf; ++i) weights[i] = twice(bytes[i] & 15u);
    for (int i = 0; i < kHalf; ++i) weights[i + kHalf] = twice(unsigned{bytes[i]} >> 4);
  }
}

/// The inputs of kPart columns, in the order of the weights; x is aligned to 16 bytes.
template <class T>
__device__ __forceinline__ void load_inputs(const T* from, T (&inputs)[kPart]) {
  if constexpr (gpu::Features::kIsGpu) {
    using Four = gpu::Vector<T, 4>;
#pragma unroll
    for (int i = 0; i < kPart; i += 4) {
      const Four four = reinterpret_cast<const Four*>(from)[i / 4];
      inputs[i] = four.x;
      inputs[i + 1] = four.y;
      inputs[i + 2] = four.z;
      inputs[i + 3] = four.w;
    }
  } else {
    constexpr int kHalf = kPart / 2;
    for (int i = 0; i < kHalf; ++i) {
      inputs[i] = from[2 * i];
      inputs[i + kHalf] = from[2 * i + 1];
    }
  }
}

template <class T>
__device__ __forceinline__ T dot_of(const float (&weights)[kPart], const T (&inputs)[kPart]) {
  if constexpr (gpu::Features::kIsGpu) {
    T sum = 0;
#pragma unroll
    for (int k = 0; k < kPart; ++k) sum = fmaf(T(weights[k]), inputs[k], sum);
    return sum;
  } else {
    return gpu::dot(weights, inputs);
  }
}

/// The value of an E8M0 code. Its bits are those of a float's exponent, except at both ends.
__device__ __forceinline__ float scale_of(std::uint8_t code) {
  constexpr unsigned kSmallest = 0x00400000u, kNan = 0x7fc00000u;
  const unsigned bits = code == 0 ? kSmallest : unsigned{code} << 23;
  return __uint_as_float(code == 255 ? kNan : bits);
}

template <class T>
__global__ void gemv_mxfp4_kernel(std::int64_t rows, std::int64_t columns,
                                  const std::uint8_t* __restrict__ packed,
                                  const std::uint8_t* __restrict__ scales, const T* __restrict__ x,
                                  T* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t team =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  const std::int64_t first = team * kRows;
  if (first >= rows) return;
  T sums[kRows] = {};
#pragma unroll 2
  for (std::int64_t c = lane * kPart; c < columns; c += kLanes * kPart) {
    T inputs[kPart];
    load_inputs(x + c, inputs);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      // The last team may lack a row: it reads its first row again and drops the sum.
      const std::int64_t row = first + i < rows ? first + i : first;
      float weights[kPart];
      unpack(packed + (row * columns + c) / 2, weights);
      const T scale = scale_of(scales[(row * columns + c) / kBlock]);
      sums[i] = fmaf(scale, dot_of(weights, inputs), sums[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    T total = sums[i];
#pragma unroll
    for (int distance = kLanes / 2; distance > 0; distance /= 2) {
      total += __shfl_xor_sync(gpu::kFullMask, total, distance, kLanes);
    }
    if (lane == 0 && first + i < rows) y[first + i] = T(kUnits) * total;
  }
}
//@stub
//| template <class T>
//| __global__ void gemv_mxfp4_kernel(std::int64_t rows, std::int64_t columns,
//|                                   const std::uint8_t* __restrict__ packed,
//|                                   const std::uint8_t* __restrict__ scales, const T* __restrict__ x,
//|                                   T* __restrict__ y) {
//|   // Byte j of a row holds column 2 j in its low four bits and column 2 j + 1 in its high four.
//| }
//@end

/// y = W x on the device, with W[r][c] = scale of block c / kBlock of row r, times E2M1.
/// @param packed y.size() rows of x.size() / 2 bytes; x.size() is a multiple of kBlock
/// @param scales y.size() rows of x.size() / kBlock codes of E8M0; 255 is NaN
template <class T>
void gemv_mxfp4(gpu::DeviceSpan<const std::uint8_t> packed,
                gpu::DeviceSpan<const std::uint8_t> scales, gpu::DeviceSpan<const T> x,
                gpu::DeviceSpan<T> y) {
  //@solve 04.gemv_mxfp4.kernel: launch it for y.size() rows and x.size() columns.
  const auto rows = static_cast<std::int64_t>(y.size());
  const std::int64_t teams = (rows + kRows - 1) / kRows;
  gpu::launch<gemv_mxfp4_kernel<T>>(gpu::blocks_for(teams * kLanes, kThreads), kThreads, rows,
                                    static_cast<std::int64_t>(x.size()), packed.data(),
                                    scales.data(), x.data(), y.data());
  //@stub
  //| harness::unsolved("04.gemv_mxfp4.kernel", "topics/04-llm-inference/README.md#mxfp4-lab");
  //@end
}

HARNESS_COUNTED_LAB(gemv_mxfp4, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto size = static_cast<double>(n);
                       return {2 * size * size, size * size * (0.5 + 1.0 / kBlock) + 8 * size};
                     },
                     .buffer_size =
                         [](std::int64_t n, int buffer) {
                           if (buffer == 0) return n * n / 2;
                           return buffer == 1 ? n * n / kBlock : n;
                         },
                     .integer_element =
                         [](std::int64_t, int buffer, std::int64_t index) {
                           const std::int64_t drawn = index * 2654435761 % 256;
                           return buffer == 0 ? drawn : 124 + drawn % 4;
                         },
                     .default_n = 8192});
