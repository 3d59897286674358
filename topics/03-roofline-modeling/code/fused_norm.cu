// SPDX-License-Identifier: MIT
// Fusion: the residual addition and the RMSNorm that follows it in every transformer layer.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"

// Each row belongs to one block. On a CPU a block is one thread: a row fits in the nearest cache,
// and several threads would only wait for one another.
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 1;

/// Sum of `value` over the threads of the block, returned to all of them. Given.
template <class T>
__device__ T block_sum(T value) {
  __shared__ T part[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  part[thread] = value;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (thread < width) part[thread] += part[thread + width];
  }
  if (kThreads > 1) __syncthreads();
  return part[0];
}

// TODO(03.fusion.norm): residual += x and the sum of squares in one pass, x = normalised row in a
template <class T>
__global__ void fused_norm_kernel(std::int64_t columns, T epsilon, const T* __restrict__ weight,
                                  T* __restrict__ residual, T* __restrict__ x) {
  // blockIdx.x is the row. block_sum() adds up the partial sums of a block's threads.
}
// END TODO(03.fusion.norm)

/// For each row of `weight.size()` columns: residual += x, then x = residual / rms(residual) *
/// weight, where rms(r) = sqrt(mean(r^2) + epsilon).
template <class T>
void fused_norm(T epsilon, gpu::DeviceSpan<const T> weight, gpu::DeviceSpan<T> residual,
                gpu::DeviceSpan<T> x) {
  // TODO(03.fusion.norm): launch one block per row; without columns there is nothing to do.
  harness::unsolved("03.fusion.norm", "topics/03-roofline-modeling/README.md#fusion");
  // END TODO(03.fusion.norm)
}

// The same in two kernels. Given for comparison: ./fused_norm measures both.

constexpr int kAddThreads = 256;

template <class T>
__global__ void add_kernel(std::int64_t n, const T* __restrict__ x, T* __restrict__ residual) {
  constexpr int kWidth = gpu::kPackWidth<T>;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / kWidth) {
    gpu::store_pack(residual + i * kWidth,
                    gpu::load_pack(residual + i * kWidth) + gpu::load_pack(x + i * kWidth));
  }
  if (i < n % kWidth) residual[n - 1 - i] = residual[n - 1 - i] + x[n - 1 - i];
}

template <class T>
__global__ void norm_kernel(std::int64_t columns, T epsilon, const T* __restrict__ weight,
                            const T* __restrict__ residual, T* __restrict__ x) {
  using Pack = gpu::Pack<T>;
  constexpr int kWidth = gpu::kPackWidth<T>;
  const T* r_row = residual + blockIdx.x * columns;
  T* x_row = x + blockIdx.x * columns;
  const std::int64_t packed = columns % kWidth == 0 ? columns : 0;
  const std::int64_t thread = threadIdx.x;
  Pack squares(T(0));
  for (std::int64_t i = thread * kWidth; i < packed; i += kThreads * kWidth) {
    const Pack value = gpu::load_pack(r_row + i);
    squares = gpu::multiply_add(value, value, squares);
  }
  T total = T(0);
  for (std::int64_t i = packed + thread; i < columns; i += kThreads) {
    total = fma(r_row[i], r_row[i], total);
  }
  for (int i = 0; i < kWidth; ++i) total = total + squares[i];
  const T mean = block_sum(total) / static_cast<float>(columns);
  const T scale = T(1) / sqrt(mean + epsilon);
  for (std::int64_t i = thread * kWidth; i < packed; i += kThreads * kWidth) {
    gpu::store_pack(x_row + i,
                    gpu::load_pack(r_row + i) * Pack(scale) * gpu::load_pack(weight + i));
  }
  for (std::int64_t i = packed + thread; i < columns; i += kThreads) {
    x_row[i] = r_row[i] * scale * weight[i];
  }
}

template <class T>
void separate_norm(T epsilon, gpu::DeviceSpan<const T> weight, gpu::DeviceSpan<T> residual,
                   gpu::DeviceSpan<T> x) {
  const auto columns = static_cast<std::int64_t>(weight.size());
  if (columns == 0) return;
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<add_kernel<T>>(gpu::blocks_for(n, kAddThreads * gpu::kPackWidth<T>), kAddThreads, n,
                             x.data(), residual.data());
  gpu::launch<norm_kernel<T>>(n / columns, dim3(kThreads), columns, epsilon, weight.data(),
                              residual.data(), x.data());
}

// Run by itself, the program normalises rows of 4096, a common width in models.
constexpr std::int64_t kColumns = 4096;
static std::int64_t elements(std::int64_t n, int buffer) {
  return buffer == 0 ? kColumns : n / kColumns * kColumns;
}
HARNESS_COUNTED_LAB(fused_norm, float,
                    {.flops_per_element = 5,
                     .bytes_per_element = 16,
                     .buffer_size = elements,
                     .default_n = 1 << 26,
                     .beyond_caches = true})
HARNESS_COUNTED_LAB(separate_norm, float,
                    {.flops_per_element = 5,
                     .bytes_per_element = 20,
                     .buffer_size = elements,
                     .default_n = 1 << 26,
                     .beyond_caches = true})
