// SPDX-License-Identifier: MIT
// Splits a text into the pieces within which a byte-level tokenizer merges: words, numbers, spaces.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace engine {

/// The regular expressions that models use to split text.
enum class Expression {
  /// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
  kGpt2,
  /// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
  /// |\s*[\r\n]+|\s+(?!\S)|\s+
  kLlama3,
  /// Like Llama 3's, but each digit is a separate piece.
  kQwen2,
};

/// The expression that a tokenizer.json spells like this; empty for any other text.
std::optional<Expression> expression_of(std::string_view regex);

/// The matches of the expression in order; concatenated they are the text. Bytes that are not UTF-8
/// count as characters that are neither letter, number nor space.
std::vector<std::string_view> split_pieces(std::string_view text,
                                           Expression expression = Expression::kGpt2);

/// The text divided so that each number character is a part.
std::vector<std::string_view> split_digits(std::string_view text);

}  // namespace engine
