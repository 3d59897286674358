// SPDX-License-Identifier: MIT
// CUDA's declaration keywords. They are macros, because C++ has no other hook in these places.
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
// One array per worker, and a worker runs one block at a time.
#define __shared__ static thread_local
