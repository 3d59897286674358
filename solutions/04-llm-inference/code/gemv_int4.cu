// SPDX-License-Identifier: MIT
// GEMV with 4-bit weights in groups of 128 that share a scale, dequantised on the fly (W4A16).
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

/// Neighbouring weights of a row that share a scale.
constexpr int kGroup = 128;
/// What a stored 0..15 means: weight = scale * (stored - kZero).
constexpr int kZero = 8;

//@solve 04.gemv_int4.kernel: write the kernel: unpack, sum inside a group, scale the group's sum.
constexpr int kLanes = gpu::team_lanes(32);
constexpr int kPart = gpu::Features::kIsGpu ? 32 : kGroup;  // columns of a lane in one turn
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 4;
constexpr int kRows = 2;  // rows of a team: each input is loaded and converted once for both

/// sum of (stored - kZero) x over the eight columns of one word.
__device__ __forceinline__ float word_times(unsigned word, const float* x, float sum) {
  // Or-ing four bits into the half 1024 = 0x6400 gives 1024 + q, two weights at a time; into the
  // next four bits, 1024 + 16 q. One fused multiply-add takes both to q - kZero, exactly.
  const __half2 low_offset = __floats2half2_rn(-1024.0f - kZero, -1024.0f - kZero);
  const __half2 high_offset = __floats2half2_rn(-64.0f - kZero, -64.0f - kZero);
  const __half2 one = __floats2half2_rn(1.0f, 1.0f);
  const __half2 sixteenth = __floats2half2_rn(0.0625f, 0.0625f);
#pragma unroll
  for (int byte = 0; byte < 2; ++byte) {
    const __half2 low = gpu::half2_of((word & 0x000f000fu) | 0x64006400u);
    const __half2 high = gpu::half2_of((word & 0x00f000f0u) | 0x64006400u);
    const float2 even = __half22float2(__hfma2(low, one, low_offset));
    const float2 odd = __half22float2(__hfma2(high, sixteenth, high_offset));
    sum = fmaf(even.x, x[2 * byte], sum);
    sum = fmaf(odd.x, x[2 * byte + 1], sum);
    sum = fmaf(even.y, x[2 * byte + 4], sum);
    sum = fmaf(odd.y, x[2 * byte + 5], sum);
    word >>= 8;
  }
  return sum;
}

/// sum of (stored - kZero) x over kPart columns, all of one group.
__device__ __forceinline__ float part_times(const std::uint8_t* packed, const float (&x)[kPart]) {
  float sum = 0;
  if constexpr (gpu::Features::kIsGpu) {
    const uint4 words = *reinterpret_cast<const uint4*>(packed);
    sum = word_times(words.x, x, sum);
    sum = word_times(words.y, x + 8, sum);
    sum = word_times(words.z, x + 16, sum);
    sum = word_times(words.w, x + 24, sum);
  } else {
    float weights[kPart];
    for (int i = 0; i < kPart / 2; ++i) {
      weights[2 * i] = static_cast<float>((packed[i] & 15) - kZero);
      weights[2 * i + 1] = static_cast<float>((packed[i] >> 4) - kZero);
    }
    sum = gpu::dot(weights, x);
  }
  return sum;
}

__global__ void gemv_int4_kernel(std::int64_t rows, std::int64_t columns,
                                 const std::uint8_t* __restrict__ packed,
                                 const __half* __restrict__ scales, const __half* __restrict__ x,
                                 float* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t team =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  const std::int64_t first = team * kRows;
  if (first >= rows) return;
  float sum[kRows] = {};
  // The last team may lack rows: it reads its first row again and drops the sum.
  std::int64_t row[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) row[i] = (first + i < rows ? first + i : first) * columns;
  for (std::int64_t c = lane * kPart; c < columns; c += kLanes * kPart) {
    float inputs[kPart];
    gpu::load_floats(x + c, inputs);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const std::int64_t at = row[i] + c;
      sum[i] =
          fmaf(gpu::to_float(scales[at / kGroup]), part_times(packed + at / 2, inputs), sum[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const float total = gpu::team_sum<kLanes>(sum[i]);
    if (lane == 0 && first + i < rows) y[first + i] = total;
  }
}
//@stub
//| __global__ void gemv_int4_kernel(std::int64_t rows, std::int64_t columns,
//|                                  const std::uint8_t* __restrict__ packed,
//|                                  const __half* __restrict__ scales,
//|                                  const __half* __restrict__ x, float* __restrict__ y) {
//|   // Byte j of a row holds column 2 j in its low four bits and column 2 j + 1 in its high four.
//| }
//@end

/// y = W x on the device, with W[r][c] = scales[r][c / kGroup] * (stored[r][c] - kZero).
/// @param packed y.size() rows of x.size() / 2 bytes; x.size() is a multiple of kGroup
/// @param scales y.size() rows of x.size() / kGroup
void gemv_int4(gpu::DeviceSpan<const std::uint8_t> packed, gpu::DeviceSpan<const __half> scales,
               gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y) {
  //@solve 04.gemv_int4.kernel: launch it for y.size() rows and x.size() columns.
  const auto rows = static_cast<std::int64_t>(y.size());
  const auto columns = static_cast<std::int64_t>(x.size());
  const std::int64_t teams = (rows + kRows - 1) / kRows;
  gpu::launch<gemv_int4_kernel>(gpu::blocks_for(teams * kLanes, kThreads), kThreads, rows, columns,
                                packed.data(), scales.data(), x.data(), y.data());
  //@stub
  //| harness::unsolved("04.gemv_int4.kernel", "topics/04-llm-inference/README.md#quantised");
  //@end
}

HARNESS_LAB(gemv_int4,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, size * size * (0.5 + 2.0 / kGroup) + 6 * size};
             },
             .buffer_size =
                 [](std::int64_t n, int buffer) {
                   if (buffer == 0) return n * n / 2;
                   return buffer == 1 ? n * n / kGroup : n;
                 },
             .integer_element = [](std::int64_t, int,
                                   std::int64_t index) { return index * 2654435761 % 256; },
             .default_n = 8192});
