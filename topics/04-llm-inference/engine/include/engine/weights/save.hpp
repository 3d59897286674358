// SPDX-License-Identifier: MIT
// Writes a model with its matrices in INT8.
#pragma once

#include <filesystem>

namespace engine {

/// Writes to the folder `to`, which must be empty or absent, the model of the folder `from`: its
/// matrices in I8, each with a tensor NAME.scales (F32, a number a row) as pack_matrix() finds
/// them, everything else as it was. Reading it back gives the numbers that --weights int8 gives of
/// `from`.
/// @throws std::runtime_error when `from` cannot be read, is in I8 already, or `to` cannot be written.
void save_int8(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace engine
