// SPDX-License-Identifier: MIT
// Checked kernels multiply as a GPU does.
#pragma once

#include "gpu/detail/mma_pair_dot.hpp"
