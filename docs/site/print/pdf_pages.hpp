// SPDX-License-Identifier: MIT
// Where the destinations of a PDF's links are.
#pragma once

#include <map>
#include <string>

namespace docs {

/// The page, counted from 1, of every named destination.
/// @param pdf the file's bytes as Chromium writes them: a table of cross-references, and objects
/// other than streams uncompressed
/// @throws std::runtime_error if it is not such a file or has no destinations
std::map<std::string, int> pages_of_destinations(const std::string& pdf);

}  // namespace docs
