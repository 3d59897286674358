// SPDX-License-Identifier: MIT
// Matrix instructions in CUDA's spelling (nvcuda::wmma): 16 x 16 x 16, FP16 with FP32 sums.
#pragma once

#include "gpu/backend/matrix.hpp"
