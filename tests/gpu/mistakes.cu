// SPDX-License-Identifier: MIT
// Kernels with one mistake each, next to the same kernel without it. The checked build must explain
// the first and let the second pass.
#include <cstring>
#include <iostream>
#include <vector>

#include "gpu/gpu.hpp"
#include "mistakes.hpp"

__global__ void past_the_end(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];  // MISTAKE past_the_end
}

__global__ void guarded(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

__global__ void before_the_start(const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = in[i - 1];  // MISTAKE before_the_start
}

__global__ void vector_past_the_end(const float4* in, float4* out) {
  out[threadIdx.x] = in[threadIdx.x];  // MISTAKE vector_past_the_end
}

// Only part of the last four floats is in the buffer.
__global__ void vector_across_the_end(const float* in, float4* out) {
  const auto* wide = reinterpret_cast<const float4*>(in);
  out[threadIdx.x] = wide[threadIdx.x];  // MISTAKE vector_across_the_end
}

__global__ void store_across_the_end(float* out) {
  reinterpret_cast<float4*>(out)[threadIdx.x] = float4{1, 2, 3, 4};
}

// A stray access ends a kernel with an exception, which must propagate whatever else the kernel
// does: copy 16-bit numbers, which is one access each, or keep a structure while it waits at a
// barrier.
__global__ void past_the_end_beside_halves(const float* in, const __half* halves, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int c = 0; c < 2; ++c) {
    sum += in[i + c] * __half2float(halves[i]);  // MISTAKE past_the_end_beside_halves
  }
  out[i] = sum;
}

__global__ void halves_past_the_end(const __half* halves, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = __half2float(halves[i]);  // MISTAKE halves_past_the_end
}

__global__ void past_the_end_after_barrier(const float4* in, const float* more, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  const float4 own = in[i];
  __syncthreads();
  out[i] = own.x * more[i + 1];  // MISTAKE past_the_end_after_barrier
}

__global__ void unwritten_shared(float* out) {
  __shared__ float tile[64];
  if (threadIdx.x != 5) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // MISTAKE unwritten_shared
}

__global__ void unwritten_dynamic(float* out) {
  float* tile = gpu::dynamic_shared<float>();
  if (threadIdx.x < 32) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  // MISTAKE unwritten_dynamic
}

__global__ void missing_barrier(const float* in, float* out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x ^ 1];  // MISTAKE missing_barrier
}

// A structure that goes straight from memory to a function and back.
struct Extent {
  double low, high, sum;
};

__device__ Extent joined(Extent a, Extent b) {
  return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.sum + b.sum};
}

__global__ void join_structures(const float* in, float* out, bool with_barrier) {
  __shared__ Extent extents[64];
  const int i = static_cast<int>(threadIdx.x);
  extents[i] = {in[i], in[i], in[i]};
  for (int half = 32; half > 0; half /= 2) {
    if (with_barrier) __syncthreads();
    if (i < half) extents[i] = joined(extents[i], extents[i + half]);  // MISTAKE join_structures
  }
  if (i == 0) out[0] = static_cast<float>(extents[0].sum);
}

__global__ void structure_across_the_end(float* out) {
  auto* const wide = reinterpret_cast<Extent*>(out);
  *wide = joined({1, 1, 1}, {2, 2, 2});  // MISTAKE structure_across_the_end
}

__global__ void reduce_in_warp_only(float* values) {
  __shared__ float tile[64];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) {
      tile[threadIdx.x] += tile[threadIdx.x + half];  // MISTAKE reduce_in_warp_only
    }
  }
  if (threadIdx.x == 0) values[0] = tile[0];
}

__global__ void reduce(float* values) {
  __shared__ float tile[64];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) values[0] = tile[0];
}

__global__ void collective_in_warp(float* values) {
  __shared__ float tile[32];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncwarp();
  values[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void add_without_atomic(int* sum) {
  *sum += 1;  // MISTAKE add_without_atomic
}

__global__ void add_with_atomic(int* sum) {
  atomicAdd(sum, 1);
}

// The last block to arrive adds up what all blocks have written.
template <bool kWithFence>
__global__ void last_block(int* parts, unsigned* arrived, int* sum) {
  if (threadIdx.x != 0) return;
  parts[blockIdx.x] = 1;
  if (kWithFence) __threadfence();
  if (atomicAdd(arrived, 1u) + 1 < static_cast<unsigned>(gridDim.x)) return;
  for (int i = 0; i < gridDim.x; ++i) *sum += parts[i];  // MISTAKE last_block
}

__global__ void clear_beside_atomics(int* sum) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) *sum = 0;  // MISTAKE clear_beside_atomics
  atomicAdd(sum, 1);
}

__global__ void change_after_atomics(int* sum) {
  atomicAdd(sum, 1);
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *sum = 7;  // MISTAKE change_after_atomics
}

// A block's own word between barriers, and the last block's reset of what all have updated.
__global__ void ordered_beside_atomics(unsigned* arrived, int* sums) {
  if (threadIdx.x == 0) sums[blockIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[blockIdx.x], 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] *= 2;
  __threadfence();
  if (atomicAdd(arrived, 1u) + 1 == static_cast<unsigned>(gridDim.x)) *arrived = 0;
}

__global__ void lanes_agree(int* sum) {
  *sum = 7;  // every lane stores the same
}

__global__ void lanes_disagree(int* sum) {
  *sum = threadIdx.x / 16;  // MISTAKE lanes_disagree
}

__global__ void blocks_race(int* flag) {
  if (threadIdx.x == 0) *flag = blockIdx.x;  // MISTAKE blocks_race
}

__global__ void half_barrier() {
  if (threadIdx.x < 32) __syncthreads();  // MISTAKE half_barrier
}

__global__ void early_exit(int n, float* values) {
  const int i = threadIdx.x;
  if (i >= n) return;
  values[i] += 1;
  __syncthreads();  // MISTAKE early_exit
}

__global__ void two_barriers() {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();  // MISTAKE two_barriers
  } else {
    __syncthreads();
  }
}

__global__ void shuffle_from_departed(int n, int* values) {
  const int i = threadIdx.x;
  if (i >= n) return;
  values[i] = __shfl_down_sync(gpu::kFullMask, values[i], 1);  // MISTAKE shuffle_from_departed
}

__global__ void mask_without_self(int* values) {
  values[threadIdx.x] =
      __shfl_sync(0xffffffffu, values[threadIdx.x], 0);  // MISTAKE mask_without_self
}

__global__ void assumes_32(int* sums) {
  int value = 1;
  for (int delta = 16; delta > 0; delta /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, delta);  // MISTAKE assumes_32
  }
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
}

// Variables at file scope are in device memory, as buffers are.
__device__ int counter;
__device__ int table[4][64];

__global__ void count_without_atomic() {
  counter += 1;  // MISTAKE count_without_atomic
}

__global__ void count_with_atomic() {
  atomicAdd(&counter, 1);
}

__global__ void table_race() {
  table[2][threadIdx.x / 2] = threadIdx.x;  // MISTAKE table_race
}

__global__ void table_by_element() {
  table[blockIdx.x][threadIdx.x] = threadIdx.x;
}

__global__ void table_past_the_end() {
  table[3][threadIdx.x + 1] = 1;  // MISTAKE table_past_the_end
}

// Uses variables of the C++ library and of the harness, as an entry's code may.
__global__ void use_library() {
  std::cout.flush();
}

__global__ void shared_past_the_end(float* out) {
  __shared__ float tile[64];
  __shared__ float behind[64];
  tile[threadIdx.x] = behind[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + 1] + behind[threadIdx.x];  // MISTAKE shared_past_the_end
}

__global__ void shared_row_past_the_end(float* out) {
  __shared__ float tile[8][8];
  const int row = threadIdx.x / 8, column = threadIdx.x % 8;
  tile[row][column] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[row][column + 1];  // MISTAKE shared_row_past_the_end
}

__global__ void shared_rows_past_the_end(float* out) {
  __shared__ float long_tile[17][66];
  long_tile[threadIdx.x][0] = 1;
  __syncthreads();
  out[threadIdx.x] = long_tile[threadIdx.x + 1][0];  // MISTAKE shared_rows_past_the_end
}

__global__ void own_past_the_end(int n, float* out) {
  float sums[4] = {0, 0, 0, 0};
  for (int i = 0; i <= n; ++i) sums[i] += 1;  // MISTAKE own_past_the_end
  out[threadIdx.x] = sums[0];
}

__global__ void arrays_within(int n, float* out) {
  __shared__ float tile[8][9];
  float sums[4] = {0, 0, 0, 0};
  const int row = threadIdx.x / 8, column = threadIdx.x % 8;
  tile[row][column] = 1;
  __syncthreads();
  for (const float* sum = sums; sum != &sums[4]; ++sum) sums[n - 1] += *sum;
  out[threadIdx.x] = tile[column][row] + sums[n - 1];
}

// 48 KiB is what a GPU has for arrays whose size is in the source.
template <int kFloats>
__global__ void large_tiles(float* out) {
  __shared__ float a[kFloats];
  __shared__ float b[kFloats];
  a[threadIdx.x] = b[threadIdx.x] = 1;
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void misaligned_load(const float* in, float4* out) {
  const float* own = in + 4 * threadIdx.x + 1;
  out[threadIdx.x] = *reinterpret_cast<const float4*>(own);  // MISTAKE misaligned_load
}

__global__ void misaligned_store(const float2* in, float* out) {
  float* own = out + 2 * threadIdx.x + 1;
  *reinterpret_cast<float2*>(own) = in[threadIdx.x];  // MISTAKE misaligned_store
}

__global__ void misaligned_double(const float* in, double* out) {
  const float* own = in + 2 * threadIdx.x + 1;
  out[threadIdx.x] = *reinterpret_cast<const double*>(own);  // MISTAKE misaligned_double
}

__global__ void misaligned_shared(float* out) {
  __shared__ float tile[132];
  for (int i = threadIdx.x; i < 132; i += blockDim.x) tile[i] = 1;
  __syncthreads();
  const float4 own =
      *reinterpret_cast<float4*>(&tile[4 * threadIdx.x + 2]);  // MISTAKE misaligned_shared
  out[threadIdx.x] = own.x + own.w;
}

// Wide accesses where they are allowed, and bytes copied from anywhere.
__global__ void aligned_copies(const float* in, float* out) {
  const int first = 4 * threadIdx.x;
  *reinterpret_cast<float4*>(out + first) = *reinterpret_cast<const float4*>(in + first);
  float unaligned[4];
  memcpy(unaligned, in + first + 1, sizeof(unaligned));
  out[first] = unaligned[0];
  // Arrays in shared memory begin where the widest access may, whatever lies beside them.
  __shared__ float word[1];
  __shared__ float tile[128];
  *reinterpret_cast<float4*>(&tile[first]) = make_float4(1, 2, 3, 4);
  out[first] += tile[first + 3];
  if (threadIdx.x > 0) return;
  word[0] = 1;
  out[first] += word[0];
}

__global__ void use_nothing() {}

namespace mistakes {
namespace {

using Floats = gpu::DeviceBuffer<float>;

Floats zeros(std::size_t n) {
  return gpu::to_device(std::vector<float>(n, 0.0f));
}
gpu::DeviceBuffer<int> int_zeros(std::size_t n) {
  return gpu::to_device(std::vector<int>(n, 0));
}

}  // namespace

void run_past_the_end() {
  Floats in = zeros(1000), out = zeros(1024);
  gpu::launch<past_the_end>(4, 256, in.data(), out.data());
}
void run_guarded() {
  Floats in = zeros(1000), out = zeros(1000);
  gpu::launch<guarded>(4, 256, 1000, in.data(), out.data());
}
void run_before_the_start() {
  Floats in = zeros(64), out = zeros(64);
  gpu::launch<before_the_start>(1, 64, in.data(), out.data());
}
void run_vector_past_the_end() {
  gpu::DeviceBuffer<float4> in(31), out(32);
  gpu::launch<vector_past_the_end>(1, 32, in.data(), out.data());
}
void run_vector_across_the_end() {
  gpu::DeviceBuffer<float> in(127);
  gpu::DeviceBuffer<float4> out(32);
  gpu::launch<vector_across_the_end>(1, 32, in.data(), out.data());
}
void run_store_across_the_end() {
  gpu::DeviceBuffer<float> out(3);
  gpu::launch<store_across_the_end>(1, 1, out.data());
}
void run_past_the_end_beside_halves() {
  Floats in = zeros(64), out = zeros(64);
  gpu::DeviceBuffer<__half> halves = gpu::to_device(std::vector<__half>(64));
  gpu::launch<past_the_end_beside_halves>(1, 64, in.data(), halves.data(), out.data());
}
void run_halves_past_the_end() {
  gpu::DeviceBuffer<__half> halves = gpu::to_device(std::vector<__half>(63));
  Floats out = zeros(64);
  gpu::launch<halves_past_the_end>(1, 64, halves.data(), out.data());
}
void run_past_the_end_after_barrier() {
  const auto in = gpu::to_device(std::vector<float4>(64));
  Floats more = zeros(64), out = zeros(64);
  gpu::launch<past_the_end_after_barrier>(1, 64, in.data(), more.data(), out.data());
}
void run_host_memory() {
  std::vector<float> host(64);
  Floats out = zeros(64);
  gpu::launch<guarded>(1, 64, 64, host.data(), out.data());
}
void run_null() {
  Floats out = zeros(64);
  gpu::launch<guarded>(1, 64, 64, nullptr, out.data());
}
void run_unwritten_shared() {
  Floats out = zeros(64);
  gpu::launch<unwritten_shared>(1, 64, out.data());
}
void run_unwritten_dynamic() {
  Floats out = zeros(64);
  gpu::launch<unwritten_dynamic>({.grid = 1, .block = 64, .shared_bytes = 256}, out.data());
}
void run_join_structures(bool with_barrier) {
  Floats in = zeros(64), out = zeros(1);
  gpu::launch<join_structures>(1, 64, in.data(), out.data(), with_barrier);
}

void run_structure_across_the_end() {
  Floats out = zeros(4);
  gpu::launch<structure_across_the_end>(1, 1, out.data());
}

void run_missing_barrier() {
  Floats in = zeros(64), out = zeros(64);
  gpu::launch<missing_barrier>(1, 64, in.data(), out.data());
}
void run_reduce_in_warp_only() {
  Floats values = zeros(64);
  gpu::launch<reduce_in_warp_only>(1, 64, values.data());
}
void run_reduce() {
  Floats values = zeros(64);
  gpu::launch<reduce>(1, 64, values.data());
}
void run_collective_in_warp() {
  Floats values = zeros(32);
  gpu::launch<collective_in_warp>(1, 32, values.data());
}
void run_add_without_atomic() {
  auto sum = int_zeros(1);
  gpu::launch<add_without_atomic>(1, 32, sum.data());
}
void run_add_with_atomic() {
  auto sum = int_zeros(1);
  gpu::launch<add_with_atomic>(4, 32, sum.data());
}
void run_clear_beside_atomics() {
  auto sum = int_zeros(1);
  gpu::launch<clear_beside_atomics>(4, 32, sum.data());
}
void run_change_after_atomics() {
  auto sum = int_zeros(1);
  gpu::launch<change_after_atomics>(4, 64, sum.data());
}
void run_ordered_beside_atomics() {
  auto sums = int_zeros(4);
  auto arrived = gpu::to_device(std::vector<unsigned>(1));
  for (int launch = 0; launch < 2; ++launch) {
    gpu::launch<ordered_beside_atomics>(4, 64, arrived.data(), sums.data());
  }
}
void run_lanes_agree() {
  auto sum = int_zeros(1);
  gpu::launch<lanes_agree>(1, 32, sum.data());
}
void run_lanes_disagree() {
  auto sum = int_zeros(1);
  gpu::launch<lanes_disagree>(1, 32, sum.data());
}
void run_last_block(bool with_fence) {
  auto parts = int_zeros(4), sum = int_zeros(1);
  auto arrived = gpu::to_device(std::vector<unsigned>(1));
  if (with_fence) {
    gpu::launch<last_block<true>>(4, 32, parts.data(), arrived.data(), sum.data());
  } else {
    gpu::launch<last_block<false>>(4, 32, parts.data(), arrived.data(), sum.data());
  }
}
void run_blocks_race() {
  auto flag = int_zeros(1);
  gpu::launch<blocks_race>(2, 32, flag.data());
}
void run_count_without_atomic() {
  gpu::launch<count_without_atomic>(2, 32);
}
void run_count_with_atomic() {
  gpu::launch<count_with_atomic>(2, 32);
}
void run_table_race() {
  gpu::launch<table_race>(1, 64);
}
void run_table_by_element() {
  gpu::launch<table_by_element>(4, 64);
}
void run_table_past_the_end() {
  gpu::launch<table_past_the_end>(1, 64);
}
void run_use_library() {
  gpu::launch<use_library>(2, 32);
}
void run_shared_past_the_end() {
  Floats out = zeros(64);
  gpu::launch<shared_past_the_end>(1, 64, out.data());
}
void run_shared_row_past_the_end() {
  Floats out = zeros(64);
  gpu::launch<shared_row_past_the_end>(1, 64, out.data());
}
void run_shared_rows_past_the_end() {
  Floats out = zeros(17);
  gpu::launch<shared_rows_past_the_end>(1, 17, out.data());
}
void run_own_past_the_end() {
  Floats out = zeros(1);
  gpu::launch<own_past_the_end>(1, 1, 4, out.data());
}
void run_arrays_within() {
  Floats out = zeros(64);
  gpu::launch<arrays_within>(1, 64, 4, out.data());
}
void run_tiles_of_48_kib(std::size_t dynamic_bytes) {
  Floats out = zeros(64);
  gpu::launch<large_tiles<6 * 1024>>({.grid = 1, .block = 64, .shared_bytes = dynamic_bytes},
                                     out.data());
}
void run_tiles_beyond_48_kib() {
  Floats out = zeros(64);
  gpu::launch<large_tiles<6 * 1024 + 1>>(1, 64, out.data());
}
void run_misaligned_load() {
  Floats in = zeros(132);
  gpu::DeviceBuffer<float4> out(32);
  gpu::launch<misaligned_load>(1, 32, in.data(), out.data());
}
void run_misaligned_store() {
  Floats out = zeros(66);
  const auto in = gpu::to_device(std::vector<float2>(32));
  gpu::launch<misaligned_store>(1, 32, in.data(), out.data());
}
void run_misaligned_double() {
  Floats in = zeros(66);
  gpu::DeviceBuffer<double> out(32);
  gpu::launch<misaligned_double>(1, 32, in.data(), out.data());
}
void run_misaligned_shared() {
  Floats out = zeros(32);
  gpu::launch<misaligned_shared>(1, 32, out.data());
}
void run_aligned_copies() {
  Floats in = zeros(132), out = zeros(128);
  gpu::launch<aligned_copies>(1, 32, in.data(), out.data());
}
void run_half_barrier() {
  gpu::launch<half_barrier>(1, 64);
}
void run_early_exit() {
  Floats values = zeros(64);
  gpu::launch<early_exit>(1, 64, 40, values.data());
}
void run_two_barriers() {
  gpu::launch<two_barriers>(1, 64);
}
void run_shuffle_from_departed() {
  auto values = int_zeros(32);
  gpu::launch<shuffle_from_departed>(1, 32, 20, values.data());
}
void run_mask_without_self() {
  auto values = int_zeros(64);
  gpu::launch<mask_without_self>({.grid = 1, .block = 64, .warp_width = 64}, values.data());
}
void run_assumes_32(int warp_width) {
  auto sums = int_zeros(2);
  gpu::launch<assumes_32>({.grid = 1, .block = 64, .warp_width = warp_width}, sums.data());
}
void run_too_many_threads() {
  gpu::launch<use_nothing>(1, dim3(64, 32));
}
void run_too_much_shared() {
  gpu::launch<use_nothing>({.grid = 1, .block = 1, .shared_bytes = 100 * 1024});
}

}  // namespace mistakes
