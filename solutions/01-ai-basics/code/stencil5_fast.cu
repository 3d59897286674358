// SPDX-License-Identifier: MIT
// The five-point stencil at the speed of memory: four columns and several rows a thread.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

//@solve 01.stencil5_fast.kernel: write a kernel that moves little more than 8 bytes a point, fast.
// A row of points is a row of quads. A thread owns a column of kRows quads: it reads the quads in
// between once where separate threads would read them three times, and has kRows + 2 wide loads
// under way at once.
constexpr int kRows = 4;
constexpr unsigned kThreadsAcross = 64;
constexpr unsigned kThreadsDown = 4;
constexpr std::int64_t kQuad = 4;

/// kCount inner rows of one column of quads; `in` and `out` point at its first quad.
template <class T, int kCount, bool kIsEnd>
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
    // Inner rows have a row before and after them, so that these are always elements of the grid.
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
    if constexpr (kIsEnd) {
      if (quad == 0) sum.x = c.x;
      if (quad == quads - 1) sum.w = c.w;
    }
    __stcs(out + r * quads, sum);
  }
}

/// For rows of 4 * quads points, all aligned.
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
  if (first + kRows >= rows) {
    for (std::int64_t row = first; row < rows - 1; ++row) {
      sweep_quads<T, 1, true>(quads, quad, from + row * quads, to + row * quads);
    }
  } else if (quad == 0 || quad == quads - 1) {
    sweep_quads<T, kRows, true>(quads, quad, from + first * quads, to + first * quads);
  } else {
    sweep_quads<T, kRows, false>(quads, quad, from + first * quads, to + first * quads);
  }
  if (strip == 0) {
    to[0] = from[0];
    to[(rows - 1) * quads] = from[(rows - 1) * quads];
  }
}

/// For rows of any length, one thread a point.
template <class T>
__global__ void stencil5_points_kernel(std::int64_t columns, std::int64_t rows,
                                       const T* __restrict__ in, T* __restrict__ out) {
  const std::int64_t column = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;
  const std::int64_t here = row * columns + column;
  if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
    out[here] = in[here];
  } else {
    out[here] = in[here] + in[here - columns] + in[here + columns] + in[here - 1] + in[here + 1];
  }
}
//@stub
//| template <class T>
//| __global__ void stencil5_fast_kernel(std::int64_t columns, std::int64_t rows,
//|                                      const T* __restrict__ in, T* __restrict__ out) {
//|   // gpu::Vector<T, 4> is float4: one load of sixteen bytes, where the address allows it.
//| }
//@end

/// The same sweep as stencil5(), fast.
/// @param in rows*columns values, row after row, not changed
/// @param out rows*columns values that do not overlap in
template <class T>
void stencil5_fast(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
                   gpu::DeviceSpan<T> out) {
  //@solve 01.stencil5_fast.kernel: launch it; the grid may have any number of rows and columns.
  if (rows == 0 || columns == 0) return;
  const dim3 block(kThreadsAcross, kThreadsDown);
  if (columns % kQuad == 0) {
    const std::int64_t strips = rows > 2 ? (rows - 2 + kRows - 1) / kRows : 1;
    const dim3 grid(gpu::blocks_for(columns / kQuad, kThreadsAcross),
                    gpu::blocks_for(strips, kThreadsDown));
    gpu::launch<stencil5_quads_kernel<T>>(grid, block, columns / kQuad, rows, in.data(),
                                          out.data());
  } else {
    const dim3 grid(gpu::blocks_for(columns, kThreadsAcross), gpu::blocks_for(rows, kThreadsDown));
    gpu::launch<stencil5_points_kernel<T>>(grid, block, columns, rows, in.data(), out.data());
  }
  //@stub
  //| harness::unsolved("01.stencil5_fast.kernel", "topics/01-ai-basics/README.md#stencil5_fast");
  //@end
}

// n is the number of rows; a row has half as many points again.
HARNESS_COUNTED_LAB(stencil5_fast, float,
                    {.work =
                         [](std::int64_t n) {
                           const auto rows = static_cast<double>(n);
                           const auto columns = static_cast<double>(n + n / 2);
                           return harness::Work{4 * (rows - 2) * (columns - 2), 8 * rows * columns};
                         },
                     .buffer_size = [](std::int64_t n, int) { return n * (n + n / 2); },
                     .integer_scalar = [](std::int64_t n,
                                          int scalar) { return scalar == 0 ? n : n + n / 2; },
                     .default_n = 6144});
