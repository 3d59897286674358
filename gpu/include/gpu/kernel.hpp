// SPDX-License-Identifier: MIT
// The language of kernels: __global__, threadIdx, __shared__, shuffles, atomics, maths.
#pragma once

#include "gpu/backend/language.hpp"
