// SPDX-License-Identifier: MIT
// A zip file in memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace grader {

/// Files as a zip archive: (path with / between folders, content). The files get the archive's
/// date.
/// @throws std::runtime_error when libarchive fails.
std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace grader
