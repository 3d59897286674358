// SPDX-License-Identifier: MIT
// nvcuda::wmma as nvcc provides it.
#pragma once

#include "gpu/kernel.hpp"
#ifdef __CUDACC__
#include <mma.h>
#endif
