// SPDX-License-Identifier: MIT
// What the chosen machine can do, known at compile time.
#pragma once

#include "gpu/backend/features.hpp"
