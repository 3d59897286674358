// SPDX-License-Identifier: MIT
// Writes a model with its matrices in 8 or 4 bits.
#pragma once

#include <filesystem>

#include "engine/weights/weights.hpp"

namespace engine {

/// Writes the model of folder `from` to folder `to`, which must be empty or absent, with its
/// matrices as pack_matrix() packs them and everything else unchanged. kInt8: I8 of the matrix's
/// shape, and NAME.scales (F32, one number per row). kInt4: U8, two columns per byte, the first in
/// the low four bits, rows padded to whole groups, and NAME.scales (F16, one number per group).
/// Reading it back gives the same numbers as `from` with --weights int8 or int4.
/// @throws std::runtime_error if `from` cannot be read, is already in I8 or U8 or holds a NaN, or
///   `to` cannot be written; std::invalid_argument for another format.
void save_quantised(const std::filesystem::path& from, const std::filesystem::path& to,
                    WeightFormat format);

}  // namespace engine
