// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/detail/plain_batch_dot.hpp"
