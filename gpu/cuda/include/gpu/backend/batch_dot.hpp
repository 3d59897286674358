// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/detail/mma_batch_dot.hpp"
