// SPDX-License-Identifier: MIT
// The measured kernels; each function queues one launch.
#pragma once

#include <cstddef>

#include "gpu/buffer.hpp"
#include "gpu/pack.hpp"

namespace bench {

/// y = a*x + y.
void launch_saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y);
/// a = b + s*c.
void launch_triad(gpu::DeviceSpan<float> a, gpu::DeviceSpan<const float> b, float s,
                  gpu::DeviceSpan<const float> c);
/// Adds up kSumPerThread elements per thread into one partial sum each; x.size() is a multiple of
/// kSumPerThread * 128.
inline constexpr int kSumPerThread = 16;
void launch_sum(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> partial);

/// Vector registers of chains: enough to hide an FMA's latency on both units (4 cycles x 2), few
/// enough that all fit in the sixteen registers of AVX2.
inline constexpr int kFmaVectors = 12;
/// kFmaChains independent chains of `steps` fused multiply-adds in each of `threads` threads.
inline constexpr int kFmaChains = kFmaVectors * static_cast<int>(gpu::kPackBytes / sizeof(float));
void launch_fma(int threads, int steps, gpu::DeviceSpan<float> out);

/// C = A*B in 16 x 16 tiles, n a multiple of 16; 2*n/16 barriers per thread, n*n threads.
void launch_tiled_product(int n, gpu::DeviceSpan<const float> a, gpu::DeviceSpan<const float> b,
                          gpu::DeviceSpan<float> c);
/// Sums blocks of 256 elements as a tree; kTreeBarriers barriers per thread.
inline constexpr int kTreeBarriers = 9;
void launch_tree_sum(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> sums);

/// An empty kernel, in `blocks` blocks of 32 threads.
void launch_empty(unsigned blocks);

}  // namespace bench
