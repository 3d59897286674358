// SPDX-License-Identifier: MIT
// A transposition: every byte moves once, and everything depends on which lane moves which.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

// TODO(03.transpose.kernel): read rows, write rows, and transpose the tile in between.
__global__ void transpose_kernel(std::int64_t rows, std::int64_t columns,
                                 const float* __restrict__ in, float* __restrict__ out) {
  // Adjacent lanes should read adjacent numbers, and write adjacent numbers.
}
// END TODO(03.transpose.kernel)

/// out[column][row] = in[row][column].
/// @param in rows x columns, by rows, not changed
/// @param out columns x rows, by rows; its initial contents are ignored
void transpose(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const float> in,
               gpu::DeviceSpan<float> out) {
  // TODO(03.transpose.kernel): launch it with a block for every tile.
  harness::unsolved("03.transpose.kernel", "topics/03-roofline-modeling/README.md#transpose");
  // END TODO(03.transpose.kernel)
}

// The matrix is n x 2n.
HARNESS_LAB(transpose,
            {.work =
                 [](std::int64_t n) {
                   const auto side = static_cast<double>(n);
                   return harness::Work{0, 16 * side * side};
                 },
             .buffer_size = [](std::int64_t n, int) { return 2 * n * n; },
             .integer_scalar = [](std::int64_t n, int scalar) { return (scalar + 1) * n; },
             .default_n = 4096});
