// SPDX-License-Identifier: MIT
// The loop over the threads of a block, with the kernel inlined.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "gpu/cpu/runtime.hpp"

namespace gpu::detail {

/// Largest number of threads in a block, on every GPU.
inline constexpr int kMaxThreadsPerBlock = 1024;

template <class T>
concept ElementCount = std::signed_integral<T> && sizeof(T) >= sizeof(int);

// Not std::min: <algorithm> accounts for a tenth of the compile time of a student's file.
template <class N>
[[gnu::always_inline]] inline const N& minimum(const N& a, const N& b) {
  return b < a ? b : a;
}

template <auto kernel, class... Parameters>
[[gnu::always_inline]] inline void loop_over_threads(Parameters... arguments) {
  for (; threadIdx.z < cpu::thread_limit.z; ++threadIdx.z, threadIdx.y = 0) {
    for (; threadIdx.y < cpu::thread_limit.y; ++threadIdx.y, threadIdx.x = 0) {
      for (; threadIdx.x < cpu::thread_limit.x; ++threadIdx.x) {
        kernel(arguments...);
      }
    }
  }
}

/// Kernels guard their index with `if (i < n)`. A vectorised guard is a masked store, which costs
/// some processors half their bandwidth, and nearly every block is entirely below n anyway. So for
/// a full block, n is passed as "this block's first index + remaining", and the loop's own bound
/// says that threadIdx.x stays below `remaining`: from both the compiler proves that the guard
/// holds, and drops it. The value of n is unchanged, so a kernel that also uses it for something
/// else is not affected.
template <auto kernel, ElementCount N, class... Parameters>
[[gnu::always_inline]] inline void loop_with_known_guard(N count, Parameters... arguments) {
  // In 64 bits, and without a difference that could overflow: the first parameter may be any
  // number.
  const std::int64_t first = std::int64_t{blockIdx.x} * std::int64_t{blockDim.x};
  if (count < kMaxThreadsPerBlock || std::int64_t{count} - kMaxThreadsPerBlock < first ||
      cpu::thread_limit.x > kMaxThreadsPerBlock) {
    return loop_over_threads<kernel>(count, arguments...);
  }
  N remaining = static_cast<N>(count - first);
  asm("" : "+r"(remaining));  // keeps the compiler from folding the sum below back into `count`
  if (remaining < kMaxThreadsPerBlock || threadIdx.x < 0) __builtin_unreachable();
  for (; threadIdx.z < cpu::thread_limit.z; ++threadIdx.z, threadIdx.y = 0) {
    for (; threadIdx.y < cpu::thread_limit.y; ++threadIdx.y, threadIdx.x = 0) {
      // Reread each time: a thread that waits at a barrier continues alone, with a lower limit.
      for (; N{threadIdx.x} < minimum(remaining, N{cpu::thread_limit.x}); ++threadIdx.x) {
        kernel(N{blockIdx.x} * N{blockDim.x} + remaining, arguments...);
      }
    }
  }
}

template <auto kernel, class First, class... Rest>
[[gnu::always_inline]] inline void dispatch_loop(First first, Rest... rest) {
  if constexpr (ElementCount<First>) {
    loop_with_known_guard<kernel>(first, rest...);
  } else {
    loop_over_threads<kernel>(first, rest...);
  }
}

template <auto kernel>
[[gnu::always_inline]] inline void dispatch_loop() {
  loop_over_threads<kernel>();
}

template <auto kernel, class Arguments>
[[gnu::flatten]] void run_threads(const void* arguments) {
  std::apply([](auto... values) { dispatch_loop<kernel>(values...); },
             *static_cast<const Arguments*>(arguments));
}

template <auto kernel, class Config, class... Parameters, class... Arguments>
void launch_kernel(const Config& config, std::string_view name, void (*)(Parameters...),
                   Arguments&&... arguments) {
  using Stored = std::tuple<std::remove_cv_t<Parameters>...>;
  const Stored stored(static_cast<Parameters>(arguments)...);
  cpu::launch(config.stream, {.grid = config.grid,
                              .block = config.block,
                              .shared_bytes = config.shared_bytes,
                              .warp_width = config.warp_width,
                              .name = name,
                              .where = config.where,
                              .run_threads = run_threads<kernel, Stored>,
                              .arguments = &stored,
                              .arguments_bytes = sizeof(stored)});
}

}  // namespace gpu::detail
