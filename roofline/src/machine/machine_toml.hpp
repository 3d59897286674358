// SPDX-License-Identifier: MIT
// Reading machines from data files.
#pragma once

#include <filesystem>

#include "roofline/machine.hpp"

namespace roofline {

/// Reads data/machines/*.toml. Throws std::runtime_error with file, line and column.
Machine load_machine_toml(const std::filesystem::path& file);

}  // namespace roofline
