// SPDX-License-Identifier: MIT
// Which size a kernel is profiled with, and where its source lies.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace cli {

/// The size to profile an exercise's kernel with: where a profile is what it is judged by, that
/// one's. Else the one that it, or another exercise on the same kernel, is timed or profiled with
/// on a CPU; where none is, the largest that it is judged with; at most 2^22.
std::int64_t profiled_size(const std::vector<grader::Exercise>& exercises,
                           const grader::Exercise& exercise);

}  // namespace cli
