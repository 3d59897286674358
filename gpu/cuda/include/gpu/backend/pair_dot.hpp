// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/detail/mma_pair_dot.hpp"
