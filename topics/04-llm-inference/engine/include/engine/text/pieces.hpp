// SPDX-License-Identifier: MIT
// Divides a text into the pieces within which a byte-level tokenizer merges: words, numbers,
// spaces.
#pragma once

#include <string_view>
#include <vector>

namespace engine {

/// The matches of GPT-2's expression
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// in order; together they are the text. Bytes that are not UTF-8 count as characters that are
/// neither letter, number nor space.
std::vector<std::string_view> split_pieces(std::string_view text);

}  // namespace engine
