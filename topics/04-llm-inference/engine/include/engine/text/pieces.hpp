// SPDX-License-Identifier: MIT
// Divides a text into the pieces within which a byte-level tokenizer merges: words, numbers,
// spaces.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace engine {

/// The regular expressions that models divide a text by.
enum class Expression {
  /// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
  kGpt2,
  /// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
  /// |\s*[\r\n]+|\s+(?!\S)|\s+
  kLlama3,
  /// As Llama 3's, but each digit is a piece of its own.
  kQwen2,
};

/// The one that a tokenizer.json has written so; none for any other text.
std::optional<Expression> expression_of(std::string_view regex);

/// The matches of the expression in order; together they are the text. Bytes that are not UTF-8
/// count as characters that are neither letter, number nor space.
std::vector<std::string_view> split_pieces(std::string_view text,
                                           Expression expression = Expression::kGpt2);

}  // namespace engine
