// SPDX-License-Identifier: MIT
// Kernels as a reader might bring them: none was used to develop the virtual GPU. Published rules
// give their counts by hand (brought_counts.cu), and run-patterns --brought runs them for ncu.
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/gpu.hpp"
#include "patterns.hpp"

namespace patterns {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 16;
constexpr std::int64_t kCount = std::int64_t{kThreads} * kBlocks;

__device__ std::int64_t thread_number() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// 16 bytes, but a compiler only knows that they begin at a multiple of four.
struct Four {
  float a, b, c, d;
};

struct Three {
  float x, y, z;
};

template <class T>
__global__ void copy_objects(const T* in, T* out) {
  out[thread_number()] = in[thread_number()];
}

template <class T>
void copied() {
  const gpu::DeviceBuffer<T> in(kCount);
  gpu::DeviceBuffer<T> out(kCount);
  gpu::launch<copy_objects<T>>(dim3(kBlocks), dim3(kThreads), in.data(), out.data());
}

__global__ void read_member(const Three* in, float* out) {
  out[thread_number()] = in[thread_number()].y;
}

__global__ void reverse(std::int64_t n, const float* in, float* out) {
  out[thread_number()] = in[n - 1 - thread_number()];
}

__global__ void same_for_all(const float* in, float* out) {
  out[thread_number()] = in[0];
}

__global__ void shuffle_max(const float* in, float* out) {
  float most = in[thread_number()];
  for (int step = 16; step > 0; step /= 2) {
    most = fmaxf(most, __shfl_xor_sync(gpu::kFullMask, most, step));
  }
  if (threadIdx.x % 32 == 0) out[thread_number()] = most;
}

__global__ void gather_pairs(const int* index, const float* in, float* out) {
  out[thread_number()] = in[index[thread_number()]];
}

void gathered() {
  std::vector<int> pairs(kCount);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = static_cast<int>(i / 2);
  gpu::DeviceBuffer<int> index(kCount);
  gpu::copy_to_device(index, pairs);
  const gpu::DeviceBuffer<float> in(kCount);
  gpu::DeviceBuffer<float> out(kCount);
  gpu::launch<gather_pairs>(dim3(kBlocks), dim3(kThreads), index.data(), in.data(), out.data());
}

__global__ void update_maximum(const int* in, int* most) {
  atomicMax(most, in[thread_number()]);
}

void contended() {
  std::vector<int> numbers(kCount);
  std::iota(numbers.begin(), numbers.end(), 1);
  gpu::DeviceBuffer<int> in(kCount);
  gpu::copy_to_device(in, numbers);
  gpu::DeviceBuffer<int> most(1);
  gpu::launch<update_maximum>(dim3(kBlocks), dim3(kThreads), in.data(), most.data());
}

__global__ void every_fourth(const float* in, float* out) {
  if (threadIdx.x % 4 != 0) return;
  out[thread_number()] = in[thread_number()];
}

__global__ void four_ways(const float* a, const float* b, const float* c, const float* d,
                          float* out) {
  const std::int64_t i = thread_number();
  switch (threadIdx.x % 4) {
    case 0:
      out[i] = a[i] * 2;
      break;
    case 1:
      out[i] = b[i] + 1;
      break;
    case 2:
      out[i] = sqrtf(c[i]);
      break;
    default:
      out[i] = 1 / d[i];
  }
}

void ways() {
  const gpu::DeviceBuffer<float> a(kCount);
  const gpu::DeviceBuffer<float> b(kCount);
  const gpu::DeviceBuffer<float> c(kCount);
  const gpu::DeviceBuffer<float> d(kCount);
  gpu::DeviceBuffer<float> out(kCount);
  gpu::launch<four_ways>(dim3(kBlocks), dim3(kThreads), a.data(), b.data(), c.data(), d.data(),
                         out.data());
}

__global__ void grid_stride(std::int64_t n, const float* in, float* out) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = thread_number(); i < n; i += step) out[i] = 2 * in[i];
}

/// 4 blocks of 128 threads: seven rounds, and 40 numbers left.
void strided_grid() {
  constexpr std::int64_t n = 7 * 4 * 128 + 40;
  const gpu::DeviceBuffer<float> in(n);
  gpu::DeviceBuffer<float> out(n);
  gpu::launch<grid_stride>(dim3(4), dim3(128), n, in.data(), out.data());
}

// --- Shared memory: one block each, of one warp unless it says otherwise -------------------------

enum class Pattern64 { kAll, kPairs, kOwn, kColumn };

/// Eight bytes per lane, all lanes the same, pairs of lanes the same, neighbours, or a column.
template <Pattern64 pattern>
__global__ void doubles_in_shared(double* out) {
  __shared__ double values[32 * 32];
  const int lane = threadIdx.x;
  for (int i = lane; i < 32 * 32; i += 32) values[i] = i;
  __syncthreads();
  const int place = pattern == Pattern64::kAll     ? 5
                    : pattern == Pattern64::kPairs ? lane / 2
                    : pattern == Pattern64::kOwn   ? lane
                                                   : lane * 32;
  out[lane] = values[place];
}

/// A row of a tile for every lane, as in a product: neighbouring numbers, one iteration each.
template <int row>
__global__ void sum_of_rows(float* out) {
  __shared__ float tile[8 * row];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  tile[y * row + x] = static_cast<float>(x);
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[y * row + k];
  out[y * 32 + x] = sum;
}

/// Two rows of a tile, whose numbers are read in turn.
__global__ void sums_of_two_rows(float* out) {
  __shared__ float tile[16 * 32];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  for (int half = 0; half < 2; ++half) tile[(y + 8 * half) * 32 + x] = static_cast<float>(x);
  __syncthreads();
  float sums[2] = {};
  for (int k = 0; k < 32; ++k) {
    for (int half = 0; half < 2; ++half) sums[half] += tile[(y + 8 * half) * 32 + k];
  }
  out[y * 32 + x] = sums[0] * sums[1];
}

/// Each thread writes four neighbours, and reads one.
__global__ void four_at_a_time(float* out) {
  __shared__ float values[4 * 32];
  const int lane = threadIdx.x;
  for (int i = 0; i < 4; ++i) values[4 * lane + i] = static_cast<float>(i * lane);
  __syncthreads();
  out[lane] = values[lane];
}

template <auto kernel, class T>
void one_block(dim3 block) {
  gpu::DeviceBuffer<T> out(std::int64_t{block.x} * block.y);
  gpu::launch<kernel>(dim3(1), block, out.data());
}

constexpr int kWidth = 32;
constexpr int kHeight = 8;

/// A 5-point stencil whose blocks load a tile and its border. Rows have `pitch` numbers; the first
/// number that is computed is the 32nd of the first row.
__global__ void stencil_with_border(int pitch, const float* in, float* out) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int at = (blockIdx.y * kHeight + y + 1) * pitch + blockIdx.x * kWidth + x + 32;
  tile[y + 1][x + 1] = in[at];
  if (x == 0) tile[y + 1][0] = in[at - 1];
  if (x == kWidth - 1) tile[y + 1][kWidth + 1] = in[at + 1];
  if (y == 0) tile[0][x + 1] = in[at - pitch];
  if (y == kHeight - 1) tile[kHeight + 1][x + 1] = in[at + pitch];
  __syncthreads();
  out[at] = tile[y + 1][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2] + tile[y][x + 1] +
            tile[y + 2][x + 1];
}

void bordered() {
  constexpr int kPitch = 4 * kWidth + 64;
  constexpr int kRows = 4 * kHeight + 2;
  const gpu::DeviceBuffer<float> in(kPitch * kRows);
  gpu::DeviceBuffer<float> out(kPitch * kRows);
  gpu::launch<stencil_with_border>(dim3(4, 4), dim3(kWidth, kHeight), kPitch, in.data(),
                                   out.data());
}

template <auto kernel, class In, class Out>
void one_to_one() {
  const gpu::DeviceBuffer<In> in(kCount);
  gpu::DeviceBuffer<Out> out(kCount);
  gpu::launch<kernel>(dim3(kBlocks), dim3(kThreads), in.data(), out.data());
}

void reversed() {
  const gpu::DeviceBuffer<float> in(kCount);
  gpu::DeviceBuffer<float> out(kCount);
  gpu::launch<reverse>(dim3(kBlocks), dim3(kThreads), kCount, in.data(), out.data());
}

}  // namespace

std::vector<Pattern> brought() {
  return {
      {"four floats without alignment", copied<Four>},
      {"three floats", copied<Three>},
      {"one of three floats", one_to_one<read_member, Three, float>},
      {"bytes", copied<unsigned char>},
      {"four bytes", copied<uchar4>},
      {"halves", copied<__half>},
      {"pairs of halves", copied<__half2>},
      {"backwards", reversed},
      {"one number for all", one_to_one<same_for_all, float, float>},
      {"maximum by shuffles", one_to_one<shuffle_max, float, float>},
      {"gather, each twice", gathered},
      {"maximum by atomics", contended},
      {"every fourth thread", one_to_one<every_fourth, float, float>},
      {"four ways", ways},
      {"few blocks, many rounds", strided_grid},
      {"doubles, all the same", [] { one_block<doubles_in_shared<Pattern64::kAll>, double>(32); }},
      {"doubles, pairs the same",
       [] { one_block<doubles_in_shared<Pattern64::kPairs>, double>(32); }},
      {"doubles, neighbours", [] { one_block<doubles_in_shared<Pattern64::kOwn>, double>(32); }},
      {"doubles, a column", [] { one_block<doubles_in_shared<Pattern64::kColumn>, double>(32); }},
      {"rows of a tile", [] { one_block<sum_of_rows<32>, float>(dim3(32, 8)); }},
      {"rows of a padded tile", [] { one_block<sum_of_rows<33>, float>(dim3(32, 8)); }},
      {"two rows of a tile", [] { one_block<sums_of_two_rows, float>(dim3(32, 8)); }},
      {"four neighbours written", [] { one_block<four_at_a_time, float>(32); }},
      {"stencil with a border", bordered},
  };
}

}  // namespace patterns
