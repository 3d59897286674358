// SPDX-License-Identifier: MIT
// CUDA's kernel language in plain C++: everything a .cu file may use on every machine.
#pragma once

#include "gpu/cpu/atomics.hpp"
#include "gpu/cpu/half.hpp"
#include "gpu/cpu/keywords.hpp"
#include "gpu/cpu/math.hpp"
#include "gpu/cpu/streaming.hpp"
#include "gpu/cpu/synchronise.hpp"
#include "gpu/cpu/thread_index.hpp"
#include "gpu/cpu/vector_types.hpp"
