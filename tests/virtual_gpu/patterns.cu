// SPDX-License-Identifier: MIT
// Textbook patterns of memory access, one launch each, always in the same order and with the same
// numbers: the virtual GPU's counts for them are compared with a real GPU's counters.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gpu/gpu.hpp"
#include "patterns.hpp"

namespace patterns {
namespace {

constexpr std::int64_t kThreads = 256;

__device__ std::int64_t thread_number() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

// --- Copies --------------------------------------------------------------------------------------

template <class T>
__global__ void copy_strided(std::int64_t threads, std::int64_t stride, std::int64_t offset,
                             const T* in, T* out) {
  const std::int64_t i = thread_number();
  if (i < threads) out[i * stride] = in[i * stride + offset];
}

template <class T>
void copy(std::int64_t elements, std::int64_t stride, std::int64_t offset) {
  const gpu::DeviceBuffer<T> in(elements + offset);
  gpu::DeviceBuffer<T> out(elements);
  const std::int64_t threads = elements / stride;
  gpu::launch<copy_strided<T>>(dim3(gpu::blocks_for(threads, kThreads)), dim3(kThreads), threads,
                               stride, offset, in.data(), out.data());
}

// --- Structures ----------------------------------------------------------------------------------

struct Point {
  float x, y, z;
};

__global__ void lengths_of_structures(std::int64_t n, const Point* in, float* out) {
  const std::int64_t i = thread_number();
  if (i < n) out[i] = in[i].x * in[i].x + in[i].y * in[i].y + in[i].z * in[i].z;
}

__global__ void lengths_of_arrays(std::int64_t n, const float* x, const float* y, const float* z,
                                  float* out) {
  const std::int64_t i = thread_number();
  if (i < n) out[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
}

__global__ void write_structures(std::int64_t n, const float* in, Point* out) {
  const std::int64_t i = thread_number();
  if (i < n) {
    out[i].x = in[i];
    out[i].y = 2 * in[i];
    out[i].z = 3 * in[i];
  }
}

// --- Transposes ----------------------------------------------------------------------------------

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_naive(int n, const float* in, float* out) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = blockIdx.y * kTile + threadIdx.y; y < static_cast<int>(blockIdx.y + 1) * kTile;
       y += kRows) {
    out[std::int64_t{x} * n + y] = in[std::int64_t{y} * n + x];
  }
}

template <int padding>
__global__ void transpose_tiled(int n, const float* in, float* out) {
  __shared__ float tile[kTile][kTile + padding];
  const int column = blockIdx.x * kTile;
  const int row = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    tile[y][threadIdx.x] = in[std::int64_t{row + y} * n + column + threadIdx.x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    out[std::int64_t{column + y} * n + row + threadIdx.x] = tile[threadIdx.x][y];
  }
}

__global__ void transpose_swizzled(int n, const float* in, float* out) {
  __shared__ float tile[kTile][kTile];
  const int column = blockIdx.x * kTile;
  const int row = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    tile[y][threadIdx.x ^ y] = in[std::int64_t{row + y} * n + column + threadIdx.x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    out[std::int64_t{column + y} * n + row + threadIdx.x] = tile[threadIdx.x][y ^ threadIdx.x];
  }
}

template <auto kernel>
void transpose() {
  constexpr int n = 4096;
  const gpu::DeviceBuffer<float> in(std::int64_t{n} * n);
  gpu::DeviceBuffer<float> out(std::int64_t{n} * n);
  gpu::launch<kernel>(dim3(n / kTile, n / kTile), dim3(kTile, kRows), n, in.data(), out.data());
}

// --- Sums ----------------------------------------------------------------------------------------

__global__ void sums_of_rows(int rows, int columns, const float* in, float* out) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += in[std::int64_t{row} * columns + i];
  out[row] = sum;
}

__global__ void sums_of_columns(int rows, int columns, const float* in, float* out) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int i = 0; i < rows; ++i) sum += in[std::int64_t{i} * columns + column];
  out[column] = sum;
}

template <auto kernel>
void sums(int rows, int columns, int results) {
  const gpu::DeviceBuffer<float> in(std::int64_t{rows} * columns);
  gpu::DeviceBuffer<float> out(results);
  gpu::launch<kernel>(dim3(gpu::blocks_for(results, kThreads)), dim3(kThreads), rows, columns,
                      in.data(), out.data());
}

/// Threads that still add are far apart, so their warps diverge.
__global__ void reduce_interleaved(const float* in, float* out) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x;
  part[t] = in[thread_number()];
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    if (t % (2 * step) == 0) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void reduce_sequential(const float* in, float* out) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x;
  part[t] = in[thread_number()];
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void reduce_shuffled(const float* in, float* out) {
  float sum = in[thread_number()];
  for (int step = warpSize / 2; step > 0; step /= 2)
    sum += __shfl_down_sync(gpu::kFullMask, sum, step);
  if (threadIdx.x % warpSize == 0) out[thread_number() / warpSize] = sum;
}

template <auto kernel>
void reduce() {
  constexpr std::int64_t n = 1 << 22;
  const gpu::DeviceBuffer<float> in(n);
  gpu::DeviceBuffer<float> out(n / 32);
  gpu::launch<kernel>(dim3(n / kThreads), dim3(kThreads), in.data(), out.data());
}

/// Every block's prefix sums, by Hillis and Steele's algorithm.
__global__ void scan_blocks(const float* in, float* out) {
  __shared__ float part[2][kThreads];
  const int t = threadIdx.x;
  int from = 0;
  part[from][t] = in[thread_number()];
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    const float left = t >= step ? part[from][t - step] : 0;
    part[1 - from][t] = part[from][t] + left;
    from = 1 - from;
    __syncthreads();
  }
  out[thread_number()] = part[from][t];
}

void scan() {
  constexpr std::int64_t n = 1 << 22;
  const gpu::DeviceBuffer<float> in(n);
  gpu::DeviceBuffer<float> out(n);
  gpu::launch<scan_blocks>(dim3(n / kThreads), dim3(kThreads), in.data(), out.data());
}

// --- Indirect ------------------------------------------------------------------------------------

constexpr int kBins = 256;

__global__ void histogram_global(std::int64_t n, const int* in, int* bins) {
  const std::int64_t i = thread_number();
  if (i < n) atomicAdd(&bins[in[i]], 1);
}

__global__ void histogram_shared(std::int64_t n, const int* in, int* bins) {
  __shared__ int own[kBins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (std::int64_t i = thread_number(); i < n; i += std::int64_t{gridDim.x} * blockDim.x) {
    atomicAdd(&own[in[i]], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void gather_kernel(std::int64_t n, const int* index, const float* in, float* out) {
  const std::int64_t i = thread_number();
  if (i < n) out[i] = in[index[i]];
}

__global__ void scatter_kernel(std::int64_t n, const int* index, const float* in, float* out) {
  const std::int64_t i = thread_number();
  if (i < n) out[index[i]] = in[i];
}

std::vector<int> random_below(std::int64_t count, int bound) {
  std::mt19937 engine(1);
  std::vector<int> numbers(static_cast<std::size_t>(count));
  for (int& number : numbers) number = static_cast<int>(engine() % static_cast<unsigned>(bound));
  return numbers;
}

gpu::DeviceBuffer<int> on_device(const std::vector<int>& numbers) {
  gpu::DeviceBuffer<int> buffer(static_cast<std::int64_t>(numbers.size()));
  gpu::copy_to_device(buffer, numbers);
  return buffer;
}

template <auto kernel>
void histogram(std::int64_t blocks) {
  constexpr std::int64_t n = 1 << 22;
  const gpu::DeviceBuffer<int> in = on_device(random_below(n, kBins));
  gpu::DeviceBuffer<int> bins(kBins);
  gpu::launch<kernel>(dim3(static_cast<unsigned>(blocks)), dim3(kThreads), n, in.data(),
                      bins.data());
}

template <auto kernel>
void indirect(std::vector<int> index, std::int64_t elements) {
  const auto n = static_cast<std::int64_t>(index.size());
  const gpu::DeviceBuffer<int> indices = on_device(index);
  const gpu::DeviceBuffer<float> in(std::max(n, elements));
  gpu::DeviceBuffer<float> out(std::max(n, elements));
  gpu::launch<kernel>(dim3(gpu::blocks_for(n, kThreads)), dim3(kThreads), n, indices.data(),
                      in.data(), out.data());
}

std::vector<int> sorted(std::vector<int> index) {
  std::sort(index.begin(), index.end());
  return index;
}

/// A sparse matrix, stored by rows, times a vector; one thread per row.
__global__ void spmv_rows(int rows, const int* begins, const int* columns, const float* values,
                          const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = begins[row]; i < begins[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

template <class Length, class Column>
void spmv(int rows, Length length_of, Column column_of) {
  std::vector<int> begins{0};
  std::vector<int> columns;
  for (int row = 0; row < rows; ++row) {
    const int length = length_of(row);
    for (int i = 0; i < length; ++i) columns.push_back(column_of(row, i));
    begins.push_back(static_cast<int>(columns.size()));
  }
  const gpu::DeviceBuffer<int> device_begins = on_device(begins);
  const gpu::DeviceBuffer<int> device_columns = on_device(columns);
  const gpu::DeviceBuffer<float> values(static_cast<std::int64_t>(columns.size()));
  const gpu::DeviceBuffer<float> x(rows);
  gpu::DeviceBuffer<float> y(rows);
  gpu::launch<spmv_rows>(dim3(gpu::blocks_for(rows, kThreads)), dim3(kThreads), rows,
                         device_begins.data(), device_columns.data(), values.data(), x.data(),
                         y.data());
}

// --- Grids ---------------------------------------------------------------------------------------

__global__ void stencil(int n, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1) return;
  const std::int64_t i = std::int64_t{y} * n + x;
  out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n];
}

void stencil_with(dim3 block) {
  constexpr int n = 4096;
  const gpu::DeviceBuffer<float> in(std::int64_t{n} * n);
  gpu::DeviceBuffer<float> out(std::int64_t{n} * n);
  gpu::launch<stencil>(dim3(n / block.x, n / block.y), block, n, in.data(), out.data());
}

__global__ void product_naive(int n, const float* a, const float* b, float* c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

template <int side>
__global__ void product_tiled(int n, const float* a, const float* b, float* c) {
  __shared__ float tile_a[side][side];
  __shared__ float tile_b[side][side];
  const int x = blockIdx.x * side + threadIdx.x;
  const int y = blockIdx.y * side + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < n; first += side) {
    tile_a[threadIdx.y][threadIdx.x] = a[y * n + first + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < side; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

template <auto kernel>
void product(dim3 block) {
  constexpr int n = 512;
  const gpu::DeviceBuffer<float> a(n * n);
  const gpu::DeviceBuffer<float> b(n * n);
  gpu::DeviceBuffer<float> c(n * n);
  gpu::launch<kernel>(dim3(n / block.x, n / block.y), block, n, a.data(), b.data(), c.data());
}

// --- Caches, latency, arithmetic -----------------------------------------------------------------

__global__ void read_again(std::int64_t n, int times, const float* in, float* out) {
  float sum = 0;
  for (int time = 0; time < times; ++time) {
    for (std::int64_t i = thread_number(); i < n; i += std::int64_t{gridDim.x} * blockDim.x) {
      sum += in[i];
    }
  }
  out[thread_number()] = sum;
}

void read_times(std::int64_t n, int times, unsigned blocks, unsigned threads) {
  const gpu::DeviceBuffer<float> in(n);
  gpu::DeviceBuffer<float> out(std::int64_t{blocks} * threads);
  gpu::launch<read_again>(dim3(blocks), dim3(threads), n, times, in.data(), out.data());
}

/// Odd lanes do different work from even ones.
__global__ void branches(std::int64_t n, const float* in, float* out) {
  const std::int64_t i = thread_number();
  if (i >= n) return;
  float value = in[i];
  if (threadIdx.x % 2 == 0) {
    for (int k = 0; k < 32; ++k) value = value * value + 1.0f;
  } else {
    for (int k = 0; k < 32; ++k) value = value * 0.5f + value;
  }
  out[i] = value;
}

__global__ void chains(std::int64_t n, const float* in, float* out) {
  const std::int64_t i = thread_number();
  if (i >= n) return;
  float a = in[i];
  float b = a + 1;
  for (int k = 0; k < 128; ++k) {
    a = a * 0.999f + 0.001f;
    b = b * 0.998f + 0.002f;
  }
  out[i] = a + b;
}

template <auto kernel>
void one_to_one(std::int64_t n) {
  const gpu::DeviceBuffer<float> in(n);
  gpu::DeviceBuffer<float> out(n);
  gpu::launch<kernel>(dim3(gpu::blocks_for(n, kThreads)), dim3(kThreads), n, in.data(), out.data());
}

void structures() {
  constexpr std::int64_t n = 1 << 22;
  const gpu::DeviceBuffer<Point> in(n);
  gpu::DeviceBuffer<float> out(n);
  gpu::launch<lengths_of_structures>(dim3(n / kThreads), dim3(kThreads), n, in.data(), out.data());
}

void arrays() {
  constexpr std::int64_t n = 1 << 22;
  const gpu::DeviceBuffer<float> x(n);
  const gpu::DeviceBuffer<float> y(n);
  const gpu::DeviceBuffer<float> z(n);
  gpu::DeviceBuffer<float> out(n);
  gpu::launch<lengths_of_arrays>(dim3(n / kThreads), dim3(kThreads), n, x.data(), y.data(),
                                 z.data(), out.data());
}

void written_structures() {
  constexpr std::int64_t n = 1 << 23;
  const gpu::DeviceBuffer<float> in(n);
  gpu::DeviceBuffer<Point> out(n);
  gpu::launch<write_structures>(dim3(n / kThreads), dim3(kThreads), n, in.data(), out.data());
}

}  // namespace

std::vector<Pattern> all() {
  constexpr std::int64_t kMany = 1 << 24;
  std::vector<Pattern> list;
  for (const std::int64_t stride : {1, 2, 4, 8, 16, 32, 64}) {
    list.push_back(
        {"copy, stride " + std::to_string(stride), [=] { copy<float>(kMany, stride, 0); }});
  }
  for (const std::int64_t offset : {1, 8, 31}) {
    list.push_back(
        {"copy, offset " + std::to_string(offset), [=] { copy<float>(kMany, 1, offset); }});
  }
  list.push_back({"copy of bytes", [] { copy<unsigned char>(kMany, 1, 0); }});
  list.push_back({"copy of doubles", [] { copy<double>(kMany / 2, 1, 0); }});
  list.push_back({"copy of float2", [] { copy<float2>(kMany / 2, 1, 0); }});
  list.push_back({"copy of float4", [] { copy<float4>(kMany / 4, 1, 0); }});
  list.push_back({"array of structures", structures});
  list.push_back({"structure of arrays", arrays});
  list.push_back({"structures written", written_structures});
  list.push_back({"transpose, naive", transpose<transpose_naive>});
  list.push_back({"transpose, tiled", transpose<transpose_tiled<0>>});
  list.push_back({"transpose, padded", transpose<transpose_tiled<1>>});
  list.push_back({"transpose, swizzled", transpose<transpose_swizzled>});
  list.push_back({"sums of rows", [] { sums<sums_of_rows>(65536, 256, 65536); }});
  list.push_back({"sums of columns", [] { sums<sums_of_columns>(256, 65536, 65536); }});
  list.push_back({"reduction, interleaved", reduce<reduce_interleaved>});
  list.push_back({"reduction, sequential", reduce<reduce_sequential>});
  list.push_back({"reduction, shuffled", reduce<reduce_shuffled>});
  list.push_back({"scan of blocks", scan});
  list.push_back(
      {"histogram, global atomics", [] { histogram<histogram_global>((1 << 22) / kThreads); }});
  list.push_back({"histogram, shared atomics", [] { histogram<histogram_shared>(528); }});
  list.push_back(
      {"gather, random", [] { indirect<gather_kernel>(random_below(1 << 22, 1 << 24), 1 << 24); }});
  list.push_back({"gather, sorted", [] {
                    indirect<gather_kernel>(sorted(random_below(1 << 22, 1 << 24)), 1 << 24);
                  }});
  list.push_back({"gather, from a cache",
                  [] { indirect<gather_kernel>(random_below(1 << 22, 1 << 16), 1 << 16); }});
  list.push_back({"scatter, random",
                  [] { indirect<scatter_kernel>(random_below(1 << 22, 1 << 24), 1 << 24); }});
  constexpr int kMatrixRows = 1 << 18;
  list.push_back({"sparse product, banded", [] {
                    spmv(
                        kMatrixRows, [](int) { return 9; },
                        [](int row, int i) { return std::clamp(row - 4 + i, 0, kMatrixRows - 1); });
                  }});
  list.push_back({"sparse product, random", [] {
                    std::mt19937 engine(2);
                    spmv(
                        kMatrixRows, [](int) { return 9; },
                        [&](int, int) { return static_cast<int>(engine() % kMatrixRows); });
                  }});
  list.push_back({"sparse product, uneven rows", [] {
                    std::mt19937 engine(3);
                    spmv(
                        kMatrixRows, [](int row) { return row % 32 == 0 ? 100 : 4; },
                        [&](int, int) { return static_cast<int>(engine() % kMatrixRows); });
                  }});
  list.push_back({"stencil, blocks of 32 x 8", [] { stencil_with(dim3(32, 8)); }});
  list.push_back({"stencil, blocks of 16 x 16", [] { stencil_with(dim3(16, 16)); }});
  list.push_back({"stencil, blocks of 256 x 1", [] { stencil_with(dim3(256, 1)); }});
  list.push_back({"product, naive", [] { product<product_naive>(dim3(32, 8)); }});
  list.push_back({"product, tiles of 8", [] { product<product_tiled<8>>(dim3(8, 8)); }});
  list.push_back({"product, tiles of 16", [] { product<product_tiled<16>>(dim3(16, 16)); }});
  list.push_back({"product, tiles of 32", [] { product<product_tiled<32>>(dim3(32, 32)); }});
  list.push_back({"20 MB read three times", [] { read_times(5 << 20, 3, 1056, 256); }});
  list.push_back({"40 MB read three times", [] { read_times(10 << 20, 3, 1056, 256); }});
  list.push_back({"80 MB read three times", [] { read_times(20 << 20, 3, 1056, 256); }});
  list.push_back({"64 blocks that read", [] { read_times(1 << 22, 1, 64, 128); }});
  list.push_back({"branches", [] { one_to_one<branches>(1 << 22); }});
  list.push_back({"chains of multiply-adds", [] { one_to_one<chains>(1 << 20); }});
  return list;
}

}  // namespace patterns
