// SPDX-License-Identifier: MIT
// Checked kernels read as a GPU does.
#pragma once

#include "gpu/detail/gpu_row.hpp"
