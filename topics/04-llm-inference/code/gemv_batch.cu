// SPDX-License-Identifier: MIT
// The product of a decode step of several sequences: each loaded weight serves the whole batch.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

// TODO(04.gemv_batch.kernel): write the kernel: each load of a row serves several inputs.
// One team per row and input would load every weight once for each sequence. Keep the sums
// of several rows and several inputs, and use each load for all of them.
// END TODO(04.gemv_batch.kernel)

/// y[b] = W x[b] for each input b of a batch, FP32 sums of FP16 products.
/// @param batch number of inputs; w, x and y are empty only if it or their other size is 0
/// @param w [rows][columns]
/// @param x [batch][columns]
/// @param y [batch][rows]
template <class T>
void gemv_batch(std::int64_t batch, gpu::DeviceSpan<const __half> w,
                gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<T> y) {
  // TODO(04.gemv_batch.kernel): launch it for the rows of w.
  harness::unsolved("04.gemv_batch.kernel", "topics/04-llm-inference/README.md#gemv-batch");
  // END TODO(04.gemv_batch.kernel)
}

// The engine uses this instance from another file.
template void gemv_batch<float>(std::int64_t batch, gpu::DeviceSpan<const __half> w,
                                gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y);

// n sequences and one matrix too large for any cache: the gate and up matrices of Llama-3-8B on a
// GPU.
constexpr std::int64_t kOut = gpu::Features::kIsGpu ? 28672 : 16384;
constexpr std::int64_t kIn = 4096;

HARNESS_COUNTED_LAB(
    gemv_batch, float,
    {.work = [](std::int64_t n) -> harness::Work {
       const auto batch = static_cast<double>(n);
       return {2.0 * kIn * kOut * batch, 2.0 * kIn * kOut + batch * (2.0 * kIn + 4.0 * kOut)};
     },
     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
       const std::int64_t sizes[] = {kOut * kIn, n * kIn, n * kOut};
       return sizes[buffer];
     },
     .integer_scalar = [](std::int64_t n, int) { return n; },
     .default_n = 16});
