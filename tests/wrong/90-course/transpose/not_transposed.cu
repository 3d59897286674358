// SPDX-License-Identifier: MIT
// Copies instead of transposing.
// Refused: 90.transpose | failed | out is wrong at row 0, column 1 (element 1): is
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void transpose_kernel(int rows, int columns, const float* in, float* out) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y);
  if (j < columns && i < rows) out[i * columns + j] = in[i * columns + j];
}

void transpose(int rows, int columns, gpu::DeviceSpan<const float> in, gpu::DeviceSpan<float> out) {
  if (rows == 0) return;
  const dim3 grid(static_cast<unsigned>((columns + 31) / 32), static_cast<unsigned>(rows));
  gpu::launch<transpose_kernel>(grid, dim3(32), rows, columns, in.data(), out.data());
}

HARNESS_LAB(transpose, {.bytes_per_element = 8})
