// SPDX-License-Identifier: MIT
// Takes the number of rows for the number of columns.
// Refused: 90.transpose | failed | wrong for n = 1
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void transpose_kernel(int rows, const float* in, float* out) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y);
  if (j < rows) out[j * rows + i] = in[i * rows + j];
}

void transpose(int rows, int, gpu::DeviceSpan<const float> in, gpu::DeviceSpan<float> out) {
  if (rows == 0) return;
  const dim3 grid(static_cast<unsigned>((rows + 31) / 32), static_cast<unsigned>(rows));
  gpu::launch<transpose_kernel>(grid, dim3(32), rows, in.data(), out.data());
}

HARNESS_LAB(transpose, {.bytes_per_element = 8})
