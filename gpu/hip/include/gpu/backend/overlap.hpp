// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/detail/plain_overlap.hpp"
