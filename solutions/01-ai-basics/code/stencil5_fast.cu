// SPDX-License-Identifier: MIT
// The five-point stencil at the speed of memory: four columns and several rows per thread.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

//@solve 01.stencil5_fast.kernel: write a fast kernel that moves little more than 8 bytes per point.
// On a GPU a thread owns kRows rows of one quad, four columns: it reads the rows in between once
// where separate threads would read them three times, and has kRows + 2 wide loads in flight. On a
// CPU the cache keeps the rows, and the store is what costs: an ordinary store first reads the line
// that it overwrites, so that 12 bytes per point move. So packs are stored past the caches, and of
// the three rows being read, the one that is not cached yet is prefetched.
constexpr int kRows = 4;
constexpr std::int64_t kQuad = 4;
constexpr unsigned kQuadsAcross = 64;
constexpr unsigned kPointsAcross = 1024;
constexpr unsigned kThreadsDown = 4;
constexpr int kPacks = 8;
constexpr std::int64_t kPointsAhead = 512;
template <class T>
constexpr std::int64_t kPointsOfLine = 64 / sizeof(T);
constexpr unsigned kPackThreads = 256;

/// Computes kCount inner rows of one quad; `in` and `out` point to the first of them.
template <class T, int kCount>
__device__ inline void sweep_quads(std::int64_t quads, std::int64_t quad,
                                   const gpu::Vector<T, 4>* __restrict__ in,
                                   gpu::Vector<T, 4>* __restrict__ out) {
  using Quad = gpu::Vector<T, 4>;
  Quad row[kCount + 2];
  T west[kCount];
  T east[kCount];
#pragma unroll
  for (int r = 0; r < kCount + 2; ++r) row[r] = in[(r - 1) * quads];
#pragma unroll
  for (int r = 0; r < kCount; ++r) {
    // Inner rows have a row before and after them, so these are always elements of the grid.
    const T* point = reinterpret_cast<const T*>(in + r * quads);
    west[r] = point[-1];
    east[r] = point[kQuad];
  }
#pragma unroll
  for (int r = 0; r < kCount; ++r) {
    const Quad& c = row[r + 1];
    const Quad& n = row[r];
    const Quad& s = row[r + 2];
    Quad sum;
    sum.x = c.x + n.x + s.x + west[r] + c.y;
    sum.y = c.y + n.y + s.y + c.x + c.z;
    sum.z = c.z + n.z + s.z + c.y + c.w;
    sum.w = c.w + n.w + s.w + c.z + east[r];
    if (quad == 0) sum.x = c.x;
    if (quad == quads - 1) sum.w = c.w;
    out[r * quads] = sum;
  }
}

/// For rows of 4 * quads points.
template <class T>
__global__ void stencil5_quads_kernel(std::int64_t quads, std::int64_t rows,
                                      const T* __restrict__ in, T* __restrict__ out) {
  using Quad = gpu::Vector<T, 4>;
  const std::int64_t quad = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t strip = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t first = 1 + strip * kRows;
  if (quad >= quads) return;
  const Quad* from = reinterpret_cast<const Quad*>(in) + quad;
  Quad* to = reinterpret_cast<Quad*>(out) + quad;
  if (first + kRows < rows) {
    sweep_quads<T, kRows>(quads, quad, from + first * quads, to + first * quads);
  } else {
    for (std::int64_t row = first; row < rows - 1; ++row) {
      sweep_quads<T, 1>(quads, quad, from + row * quads, to + row * quads);
    }
  }
  if (strip == 0) {
    to[0] = from[0];
    to[(rows - 1) * quads] = from[(rows - 1) * quads];
  }
}

/// The pack of sums whose first point is `here`.
template <class T>
__device__ inline gpu::Pack<T> sums_at(const T* here, std::int64_t columns) {
  return gpu::load_pack(here) + gpu::load_pack(here - columns) + gpu::load_pack(here + columns) +
         gpu::load_pack(here - 1) + gpu::load_pack(here + 1);
}

/// All rows but the first and the last, kPacks packs per thread, stored past the caches. The ends
/// of the rows come out wrong; stencil5_border_kernel() fixes them afterwards.
template <class T>
__global__ void stencil5_packs_kernel(std::int64_t packs, std::int64_t columns,
                                      const T* __restrict__ in, T* __restrict__ out) {
  constexpr int kWidth = gpu::kPackWidth<T>;
  const std::int64_t first = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * kPacks;
  const T* from = in + columns + first * kWidth;
  T* to = out + columns + first * kWidth;
  if (first + kPacks <= packs) {
    for (std::int64_t point = 0; point < kPacks * kWidth; point += kPointsOfLine<T>) {
      gpu::prefetch(from + columns + point + kPointsAhead);
    }
    gpu::Pack<T> sums[kPacks];
#pragma unroll
    for (int p = 0; p < kPacks; ++p) sums[p] = sums_at(from + p * kWidth, columns);
#pragma unroll
    for (int p = 0; p < kPacks; ++p) gpu::store_pack_streaming(to + p * kWidth, sums[p]);
  } else {
    for (int p = 0; p < packs - first; ++p) {
      gpu::store_pack_streaming(to + p * kWidth, sums_at(from + p * kWidth, columns));
    }
  }
}

/// The same for rows of any length, one point per thread, from the second point of the second row
/// to the second-to-last point of the second-to-last row.
template <class T>
__global__ void stencil5_flat_kernel(std::int64_t points, std::int64_t columns,
                                     const T* __restrict__ in, T* __restrict__ out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < points) {
    const T* here = in + columns + 1;
    out[columns + 1 + i] =
        here[i] + here[i - columns] + here[i + columns] + here[i - 1] + here[i + 1];
  }
}

/// The border of any grid: thread i copies the ends of row i and of column i.
template <class T>
__global__ void stencil5_border_kernel(std::int64_t columns, std::int64_t rows,
                                       const T* __restrict__ in, T* __restrict__ out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t last_row = (rows - 1) * columns;
  if (i < columns) {
    out[i] = in[i];
    if (rows > 1) out[last_row + i] = in[last_row + i];
  }
  // The corners were copied with the rows.
  if (i > 0 && i < rows - 1) {
    out[i * columns] = in[i * columns];
    if (columns > 1) out[(i + 1) * columns - 1] = in[(i + 1) * columns - 1];
  }
}

template <class T>
void sweep_by_quads(std::int64_t rows, std::int64_t columns, const T* in, T* out) {
  const std::int64_t strips = rows > 2 ? (rows - 2 + kRows - 1) / kRows : 1;
  const dim3 grid(gpu::blocks_for(columns / kQuad, kQuadsAcross),
                  gpu::blocks_for(strips, kThreadsDown));
  gpu::launch<stencil5_quads_kernel<T>>(grid, dim3(kQuadsAcross, kThreadsDown), columns / kQuad,
                                        rows, in, out);
}

template <class T>
void sweep_by_points(std::int64_t rows, std::int64_t columns, const T* in, T* out) {
  const bool in_packs =
      !gpu::Features::kIsGpu && columns % gpu::kPackWidth<T> == 0 && gpu::is_pack_aligned(out);
  if (rows > 2 && in_packs) {
    const std::int64_t packs = (rows - 2) * (columns / gpu::kPackWidth<T>);
    const std::int64_t threads = (packs + kPacks - 1) / kPacks;
    gpu::launch<stencil5_packs_kernel<T>>(gpu::blocks_for(threads, kPackThreads), kPackThreads,
                                          packs, columns, in, out);
  } else if (rows > 2 && columns > 2) {
    const std::int64_t points = (rows - 2) * columns - 2;
    gpu::launch<stencil5_flat_kernel<T>>(gpu::blocks_for(points, kPointsAcross), kPointsAcross,
                                         points, columns, in, out);
  }
  const std::int64_t longest = rows > columns ? rows : columns;
  gpu::launch<stencil5_border_kernel<T>>(gpu::blocks_for(longest, kPointsAcross), kPointsAcross,
                                         columns, rows, in, out);
}
//@stub
//| template <class T>
//| __global__ void stencil5_fast_kernel(std::int64_t columns, std::int64_t rows,
//|                                      const T* __restrict__ in, T* __restrict__ out) {
//|   // gpu::Vector<T, 4> is float4: one load of sixteen bytes, where the address allows it.
//| }
//@end

/// The same sweep as stencil5(), but fast.
/// @param in rows*columns values, row after row, not changed
/// @param out rows*columns values that do not overlap in
template <class T>
void stencil5_fast(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
                   gpu::DeviceSpan<T> out) {
  //@solve 01.stencil5_fast.kernel: launch it; the grid may have any number of rows and columns.
  if (rows == 0 || columns == 0) return;
  if (gpu::Features::kIsGpu && columns % kQuad == 0) {
    sweep_by_quads<T>(rows, columns, in.data(), out.data());
  } else {
    sweep_by_points<T>(rows, columns, in.data(), out.data());
  }
  //@stub
  //| harness::unsolved("01.stencil5_fast.kernel", "topics/01-ai-basics/README.md#stencil5_fast");
  //@end
}

// n is the number of rows; a row has half as many points again.
HARNESS_COUNTED_LAB(stencil5_fast, float,
                    {.work = harness::five_point_work,
                     .buffer_size = harness::grid_elements,
                     .integer_scalar = harness::grid_side,
                     .default_n = 6144,
                     .beyond_caches = true});
