// SPDX-License-Identifier: MIT
// A second implementation of the models, in double and without a cache, for comparison.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tiny_model.hpp"

namespace engine::test {

/// Logits after the last of these tokens, computing every layer for all of them from scratch.
std::vector<double> reference_logits(const TinyModel& model, std::span<const std::int32_t> tokens);

}  // namespace engine::test
