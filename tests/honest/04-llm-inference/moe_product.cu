// SPDX-License-Identifier: MIT
// Each thread computes one output of an expert, with a sum for each of 64 rows, which the block
// shares.
// Earns: 04.moe_product.passes | does no more work than allowed
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

constexpr int kOutputs = 64;
constexpr int kRows = 64;
constexpr int kDepth = 8;  // numbers of a row at a time

template <class T>
__global__ void output_a_thread(int in, int out, const std::int32_t* offsets,
                                const __nv_bfloat16* x, const __nv_bfloat16* w, T* y) {
  __shared__ __nv_bfloat16 tile[kRows * kDepth];
  const int expert = static_cast<int>(blockIdx.y);
  const int thread = static_cast<int>(threadIdx.x);
  const int output = static_cast<int>(blockIdx.x) * kOutputs + thread;
  const int end = offsets[expert + 1];
  for (int first = offsets[expert]; first < end; first += kRows) {
    const int rows = min(end - first, kRows);
    T sums[kRows] = {};
    for (int begin = 0; begin < in; begin += kDepth) {
      __syncthreads();
      for (int i = thread; i < rows * kDepth; i += kOutputs) {
        tile[i] = x[std::int64_t{first + i / kDepth} * in + begin + i % kDepth];
      }
      __syncthreads();
      for (int i = 0; i < kDepth && output < out; ++i) {
        const T weight =
            __bfloat162float(w[(std::int64_t{expert} * out + output) * in + begin + i]);
        for (int r = 0; r < rows; ++r) {
          sums[r] = fmaf(weight, __bfloat162float(tile[r * kDepth + i]), sums[r]);
        }
      }
    }
    for (int r = 0; r < rows && output < out; ++r) {
      y[std::int64_t{first + r} * out + output] = sums[r];
    }
  }
}

template <class T>
void moe_product(int in, int out, gpu::DeviceSpan<const std::int32_t> offsets,
                 gpu::DeviceSpan<const __nv_bfloat16> x, gpu::DeviceSpan<const __nv_bfloat16> w,
                 gpu::DeviceSpan<T> y) {
  const dim3 grid(gpu::blocks_for(out, kOutputs), static_cast<unsigned>(offsets.size() - 1));
  gpu::launch<output_a_thread<T>>(grid, kOutputs, in, out, offsets.data(), x.data(), w.data(),
                                  y.data());
}

HARNESS_COUNTED_LAB(moe_product, float, {})
