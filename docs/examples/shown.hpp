// SPDX-License-Identifier: MIT
// What a page shows of a command: the line that was typed, and what it prints.
#pragma once

#include <string>

namespace docs {

/// Marks in a page what differs between runs or machines: alone on a line it matches any number of
/// lines, within a line any text.
inline constexpr const char* kLeftOut = "[...]";

/// What a command prints, both streams, run by a shell in the current folder.
/// @throws std::runtime_error if it crashes, or exits with a status that none of our programs
///   documents.
std::string output_of(const std::string& command);

/// Runs a command that no page shows. @throws std::runtime_error if it fails.
void prepare(const std::string& command);

/// A block of a page: "$ COMMAND" and the output, both wrapped to the width of a page.
std::string block_of(const std::string& command, const std::string& output);

/// Whether a page's block matches what a command printed now, apart from what the page leaves out.
/// @throws std::runtime_error if the page leaves out so much that nothing is compared.
bool is_same(const std::string& shown, const std::string& now);

/// What a command prints now, with the same omissions as the page's block.
std::string with_left_out(const std::string& shown, const std::string& now);

}  // namespace docs
