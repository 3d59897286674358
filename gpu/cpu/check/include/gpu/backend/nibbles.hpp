// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/detail/plain_nibbles.hpp"
