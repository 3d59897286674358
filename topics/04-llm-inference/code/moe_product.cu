// SPDX-License-Identifier: MIT
// The products of a mixture of experts: rows sorted by expert, each expert's weights for its rows.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/async_copy.hpp"
#include "gpu/gpu.hpp"
#include "gpu/tile.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

// TODO(04.moe_product.kernel): write the kernel: one block per expert and group of outputs.
// Rows offsets[e] ... offsets[e + 1] - 1 belong to expert e; there may be none. Each load of
// its weights should serve all of them.
// END TODO(04.moe_product.kernel)

/// y[r] = w[e] x[r] for the rows r of each expert e, in FP32.
/// @param in, out numbers in a row of x and of y; in is a multiple of 8
/// @param offsets [experts + 1]; expert e has the rows offsets[e] ... offsets[e + 1] - 1
/// @param x [rows][in], sorted by expert
/// @param w [experts][out][in]
/// @param y [rows][out]
template <class T>
void moe_product(int in, int out, gpu::DeviceSpan<const std::int32_t> offsets,
                 gpu::DeviceSpan<const __nv_bfloat16> x, gpu::DeviceSpan<const __nv_bfloat16> w,
                 gpu::DeviceSpan<T> y) {
  // TODO(04.moe_product.kernel): launch it for all experts.
  harness::unsolved("04.moe_product.kernel", "topics/04-llm-inference/README.md#moe-product");
  // END TODO(04.moe_product.kernel)
}

// The gate and up matrices of one layer of Qwen3-30B-A3B (on a CPU an eighth of its experts), and n
// rows for each expert.
constexpr std::int64_t kExperts = gpu::Features::kIsGpu ? 128 : 16;
constexpr std::int64_t kIn = 2048;
constexpr std::int64_t kOut = 1536;

HARNESS_COUNTED_LAB(moe_product, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto rows = static_cast<double>(n * kExperts);
                       return {2.0 * kIn * kOut * rows,
                               2.0 * kExperts * kIn * kOut + rows * (2.0 * kIn + 4.0 * kOut)};
                     },
                     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
                       const std::int64_t sizes[] = {kExperts + 1, n * kExperts * kIn,
                                                     kExperts * kIn * kOut, n * kExperts * kOut};
                       return sizes[buffer];
                     },
                     .integer_scalar = [](std::int64_t, int scalar) -> std::int64_t {
                       return scalar == 0 ? kIn : kOut;
                     },
                     .integer_element = [](std::int64_t n, int,
                                           std::int64_t index) { return n * index; },
                     .default_n = 4});
