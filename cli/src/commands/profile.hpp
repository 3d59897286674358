// SPDX-License-Identifier: MIT
// The size that a kernel is profiled with.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace cli {

/// The size to profile an exercise's kernel with: the one for which a virtual GPU judges it; else
/// the size with which this or another exercise times or profiles the same kernel on a CPU; else
/// the largest judged size; at most 2^22.
std::int64_t profiled_size(const std::vector<grader::Exercise>& exercises,
                           const grader::Exercise& exercise);

}  // namespace cli
