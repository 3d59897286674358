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
// One array per worker, and a worker runs one block at a time. Where an array of float is read as
// float4, whether its first element may be must not depend on what else is in the program.
#define __shared__ static thread_local __attribute__((aligned(16)))
