// SPDX-License-Identifier: MIT
// Writes a model with its matrices in 8 or in 4 bits.
#pragma once

#include <filesystem>

#include "engine/weights/weights.hpp"

namespace engine {

/// Writes to the folder `to`, which must be empty or absent, the model of the folder `from` with
/// its matrices as pack_matrix() packs them, everything else as it was. kInt8: I8 of the matrix's
/// shape, and NAME.scales (F32, a number a row). kInt4: U8, two columns a byte, the first in the
/// low four bits, rows filled up to whole groups, and NAME.scales (F16, a number a group). Reading
/// it back gives the numbers that --weights int8 or int4 gives of `from`.
/// @throws std::runtime_error when `from` cannot be read, is in I8 or U8 already, or `to` cannot be
///   written; std::invalid_argument for another format.
void save_quantised(const std::filesystem::path& from, const std::filesystem::path& to,
                    WeightFormat format);

}  // namespace engine
