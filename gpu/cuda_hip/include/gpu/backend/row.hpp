// SPDX-License-Identifier: MIT
// A lane's part of a row on a GPU.
#pragma once

#include "gpu/detail/gpu_row.hpp"
