// SPDX-License-Identifier: MIT
// Typed access to the keys of a config.json; every error names file and key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::llm {

/// Largest sizes accepted: far above any published model, and small enough that products of them do
/// not overflow 64 bits.
inline constexpr std::int64_t kMaxLayers = 1024;
inline constexpr std::int64_t kMaxHeads = 4096;
inline constexpr std::int64_t kMaxHeadDim = 16384;
inline constexpr std::int64_t kMaxExperts = 4096;
inline constexpr std::int64_t kMaxWidth = 262144;
inline constexpr std::int64_t kMaxVocabulary = 1 << 24;
inline constexpr std::int64_t kMaxPositions = 1 << 30;

/// The object in a config.json. A null key counts as not stated, as in the original format.
class ConfigKeys {
 public:
  explicit ConfigKeys(const std::filesystem::path& file);

  [[noreturn]] void fail(std::string_view key, const std::string& what) const;

  bool has(std::string_view key) const;
  bool names(std::string_view key) const;  ///< present, even if null

  /// A nested object; empty if it is absent or null. Errors in it name the whole path.
  std::optional<ConfigKeys> object(std::string_view key) const;
  std::vector<std::string> keys() const;  ///< names of all keys

  /// The nested object as a configuration of its own, which inherits what both have: precision,
  /// quantisation and whether the head is the embedding table.
  ConfigKeys inner(std::string_view key) const;

  std::vector<std::string> unread() const;         ///< names of keys that were not read
  bool switched_on(const std::string& key) const;  ///< neither null nor false nor 0 nor empty

  std::string text(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  std::optional<bool> flag(std::string_view key) const;

  /// An integer from `least` to `most`.
  std::int64_t size(std::string_view key, std::int64_t most, std::int64_t least = 1) const;
  std::optional<std::int64_t> optional_size(std::string_view key, std::int64_t most,
                                            std::int64_t least = 1) const;
  std::vector<std::int64_t> sizes(std::string_view key, std::int64_t most) const;

  /// Like sizes(); empty if the key is not stated.
  std::vector<std::int64_t> optional_sizes(std::string_view key, std::int64_t most) const;

  const std::filesystem::path& file() const { return file_; }

 private:
  ConfigKeys(std::filesystem::path file, nlohmann::json object, std::string path)
      : file_(std::move(file)), object_(std::move(object)), path_(std::move(path)) {}

  const nlohmann::json& required(std::string_view key) const;
  std::int64_t integer(std::string_view key, const nlohmann::json& value, std::int64_t least,
                       std::int64_t most) const;

  std::filesystem::path file_;
  nlohmann::json object_;
  std::string path_ = {};  ///< of the object inside the file, ending in a dot
  mutable std::set<std::string, std::less<>> read_ = {};
};

}  // namespace roofline::llm
