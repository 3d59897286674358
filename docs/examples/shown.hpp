// SPDX-License-Identifier: MIT
// What a page shows of a command: the line that was typed, and what it prints.
#pragma once

#include <string>

namespace docs {

/// Stands in a page for what differs from one run or machine to the next: alone on a line for any
/// number of lines, within a line for any text.
inline constexpr const char* kLeftOut = "[...]";

/// What a command prints, both streams, run by a shell in the current folder.
/// @throws std::runtime_error when it crashes, or ends with a status that no program of ours
/// documents.
std::string output_of(const std::string& command);

/// Runs a command that no page shows. @throws std::runtime_error when it fails.
void prepare(const std::string& command);

/// A block of a page: "$ COMMAND" and the output, both broken to the width of a page.
std::string block_of(const std::string& command, const std::string& output);

/// Whether a page's block is what a command printed now, but for what the page leaves out.
/// @throws std::runtime_error when the page leaves out so much that nothing is compared.
bool is_same(const std::string& shown, const std::string& now);

/// What a command prints now, its lines left out where a line of the page's block left something
/// out.
std::string with_left_out(const std::string& shown, const std::string& now);

}  // namespace docs
