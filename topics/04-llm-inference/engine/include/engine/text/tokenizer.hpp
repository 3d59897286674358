// SPDX-License-Identifier: MIT
// A BPE tokenizer over bytes or characters, read from a tokenizer.json.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/text/merges.hpp"
#include "engine/text/pieces.hpp"

namespace engine {

/// What is put before a text, or before each part of it between added tokens.
enum class Prefix {
  kNone,
  kSpaceUnlessThere,
  kSpaceUnlessThereAtStart,  ///< only before a part with which the text starts
  kSpace,
};

/// How a text is prepared and divided before merging.
struct Splitting {
  bool composes = false;  ///< to Unicode's normal form C
  Prefix prefix = Prefix::kNone;
  /// The whole text is one piece of characters, with a visible mark in place of each space, and
  /// bytes only where a character has no token, as in Llama 2.
  bool is_whole = false;
  bool has_single_digits = false;  ///< each digit is a piece
  Expression expression = Expression::kGpt2;
};

/// Text to token ids and back. Every byte has a token, so every text can be encoded, and decoding
/// gives back the bytes that were encoded, with the prefix.
class Tokenizer {
 public:
  /// Reads a tokenizer.json of Hugging Face's tokenizers: byte-level BPE with the expression of
  /// GPT-2 (also with single digits), Llama 3 or Qwen 2, and NFC or no normalizer; or BPE with a
  /// fallback to bytes, as in Llama 2.
  /// @throws std::runtime_error naming file and key of what is missing, malformed or not
  ///   implemented: a different tokenizer would silently give different ids.
  explicit Tokenizer(const std::filesystem::path& file);

  /// Token ids of a text, with the tokens that the file adds before and after every text, such as
  /// <|begin_of_text|>. Added tokens such as <|endoftext|> are recognised in the text.
  std::vector<std::int32_t> encode(std::string_view text) const;
  /// The bytes of a token, which may be part of a character; none for a special token.
  /// @throws std::out_of_range naming an id that is not in the vocabulary.
  const std::string& bytes_of(std::int32_t id) const;
  /// The text of tokens, without special ones; U+FFFD for bytes that are not UTF-8.
  std::string decode(std::span<const std::int32_t> ids) const;
  /// Id of an added token by its text, such as "<|endoftext|>"; -1 if there is none.
  std::int32_t id_of(std::string_view added_token) const;
  /// One more than the largest id.
  std::int32_t size() const { return static_cast<std::int32_t>(bytes_.size()); }

 private:
  std::vector<std::int32_t> parts_of(std::string_view piece) const;
  void encode_piece(std::string_view piece, std::vector<std::int32_t>& ids) const;
  void encode_plain(std::string_view text, bool is_start, std::vector<std::int32_t>& ids) const;

  std::array<std::int32_t, 256> byte_ids_{};
  std::unordered_map<std::string, std::int32_t> characters_;  ///< only of whole texts
  Merges merges_;
  std::vector<std::string> bytes_;
  std::map<std::string, std::int32_t, std::less<>> added_;
  /// Tokens that match a whole piece without merging; empty unless the file asks for it.
  std::unordered_map<std::string, std::int32_t> whole_;
  std::vector<std::int32_t> before_;  // added before every text
  std::vector<std::int32_t> behind_;
  Splitting splitting_;
};

}  // namespace engine
