// SPDX-License-Identifier: MIT
// A byte-level BPE tokenizer, read from a tokenizer.json.
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

#include "engine/text/pieces.hpp"

namespace engine {

/// Text to token ids and back. Every byte has a token, so every text can be encoded, and decoding
/// gives back the bytes that were encoded.
class Tokenizer {
 public:
  /// Reads the file of Hugging Face's tokenizers: a model BPE on bytes, in the pieces of GPT-2's,
  /// Llama 3's or Qwen 2's expression, with NFC or no normalizer.
  /// @throws std::runtime_error naming file and key of what is missing, malformed or not
  ///   implemented: another tokenizer would silently give other ids.
  explicit Tokenizer(const std::filesystem::path& file);

  /// Token ids of a text, with what the file puts before and behind every text, such as
  /// <|begin_of_text|>. Added tokens such as <|endoftext|> are found in it.
  std::vector<std::int32_t> encode(std::string_view text) const;
  /// The bytes of a token, which may be part of a character; none for a special token.
  /// @throws std::out_of_range naming an id that the vocabulary does not have.
  const std::string& bytes_of(std::int32_t id) const;
  /// The text of tokens, special ones left out; U+FFFD for what is not UTF-8.
  std::string decode(std::span<const std::int32_t> ids) const;
  /// Id of a token by the text that stands for it, such as "<|endoftext|>"; -1 without such a
  /// token.
  std::int32_t id_of(std::string_view added_token) const;
  /// One more than the largest id.
  std::int32_t size() const { return static_cast<std::int32_t>(bytes_.size()); }

 private:
  struct Merge {
    std::int32_t rank;
    std::int32_t result;
  };
  static std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
  }
  void encode_piece(std::string_view piece, std::vector<std::int32_t>& ids) const;
  void encode_plain(std::string_view text, std::vector<std::int32_t>& ids) const;

  std::array<std::int32_t, 256> byte_ids_{};
  std::unordered_map<std::uint64_t, Merge> merges_;
  std::vector<std::string> bytes_;
  std::map<std::string, std::int32_t, std::less<>> added_;
  /// Tokens that a piece becomes without merging; none unless the file asks for it.
  std::unordered_map<std::string, std::int32_t> whole_;
  std::vector<std::int32_t> before_;  // every text
  std::vector<std::int32_t> behind_;
  Expression expression_ = Expression::kGpt2;
  bool adds_prefix_space_ = false;
  bool normalizes_ = false;
};

}  // namespace engine
