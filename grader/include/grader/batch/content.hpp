// SPDX-License-Identifier: MIT
// Content hashes, which identify finished work so that nothing is done twice.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// SHA-256 of a text, as hexadecimal text.
std::string sha256(const std::string& text);

/// SHA-256 of the names and bytes of files, and of all files in folders. A path that does not exist
/// counts as absent.
std::string hash_of_files(const std::vector<std::filesystem::path>& paths);

}  // namespace grader
