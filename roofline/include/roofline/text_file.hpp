// SPDX-License-Identifier: MIT
// Whole files as text.
#pragma once

#include <filesystem>
#include <string>

namespace roofline {

/// The content of a file, byte for byte. @throws std::runtime_error naming a file that cannot be
/// read.
std::string read_text_file(const std::filesystem::path& file);

}  // namespace roofline
