// SPDX-License-Identifier: MIT
// tokenizer.json: vocabulary and merges in GPT-2's characters for bytes, and added tokens.
#include "engine/text/tokenizer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/files.hpp"
#include "base/utf8.hpp"
#include "engine/text/normal_form.hpp"
#include "engine/text/pieces.hpp"
#include "engine/text/utf8_stream.hpp"

namespace engine {
namespace {

using nlohmann::json;

constexpr std::int32_t kLargestId = 1 << 24;

/// GPT-2 writes each byte as a visible character: printable ones of Latin-1 represent themselves,
/// the others are numbered from U+0100 on, in order.
std::map<char32_t, unsigned char> bytes_of_characters() {
  std::map<char32_t, unsigned char> bytes;
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const bool is_printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) ||
                              (byte >= 0xAE && byte <= 0xFF);
    bytes[is_printable ? static_cast<char32_t>(byte) : next++] = static_cast<unsigned char>(byte);
  }
  return bytes;
}

/// Reads the parts of a tokenizer.json; errors name file and key.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : file_(file), all_(json::parse(base::read_file(file), nullptr, false)) {
    if (!all_.is_object()) fail("is not a JSON object");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_.string() + ": " + what);
  }
  const json& all() const { return all_; }

  /// The value of a key of an object; null if it is absent.
  static const json& key(const json& object, const char* name) {
    static const json kNull;
    if (!object.is_object()) return kNull;
    const auto found = object.find(name);
    return found == object.end() ? kNull : *found;
  }
  static std::string type_of(const json& object) {
    const json& type = key(object, "type");
    return type.is_string() ? type.get<std::string>() : "none";
  }

  /// The bytes that a token's characters represent.
  std::string bytes(const std::string& token) const {
    static const std::map<char32_t, unsigned char> kBytes = bytes_of_characters();
    std::string bytes;
    for (std::string_view rest = token; !rest.empty();) {
      const base::Character next = base::first_character(rest);
      const auto found = kBytes.find(next.code);
      if (found == kBytes.end()) {
        fail("model.vocab: the token \"" + token + "\" has a character that represents no byte");
      }
      bytes += static_cast<char>(found->second);
      rest.remove_prefix(next.bytes);
    }
    return bytes;
  }

  std::int32_t id(const json& value, const std::string& what) const {
    if (!value.is_number_integer() || value < 0 || value > kLargestId) {
      fail(what + " has an id that is not a whole number from 0 to " + std::to_string(kLargestId));
    }
    return value.get<std::int32_t>();
  }

  /// The two tokens of a merge, which older files write as one string with a space in between.
  std::pair<std::string, std::string> merge(const json& value) const {
    if (value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_string()) {
      return {value[0].get<std::string>(), value[1].get<std::string>()};
    }
    if (!value.is_string()) fail("model.merges holds something that is not two tokens");
    const std::string text = value.get<std::string>();
    const std::size_t blank = text.find(' ');
    if (blank == std::string::npos) fail("model.merges: \"" + text + "\" is not two tokens");
    return {text.substr(0, blank), text.substr(blank + 1)};
  }

  /// Refuses anything that would change the ids and is not implemented.
  void refuse_other_kinds() const {
    const json& model = key(all_, "model");
    if (!model.is_object() || (type_of(model) != "BPE" && type_of(model) != "none")) {
      fail("model.type is " + type_of(model) + "; only BPE is read");
    }
    for (const char* rule : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      if (const json& text = key(model, rule); text.is_string() && text != "") {
        fail("model." + std::string(rule) + " is not implemented; give prompts as token ids");
      }
    }
    if (const json& dropout = key(model, "dropout"); dropout.is_number() && dropout != 0) {
      fail("model.dropout is not implemented; give prompts as token ids");
    }
  }

  /// True for NFC, false for none.
  bool normalizes() const {
    const json& normalizer = key(all_, "normalizer");
    if (normalizer.is_null()) return false;
    if (type_of(normalizer) == "NFC") return true;
    fail("normalizer " + type_of(normalizer) + " is not implemented; give prompts as token ids");
  }

  /// How a text is split, and whether a space is put before it.
  std::pair<Expression, bool> splitter() const {
    const json& splitter = key(all_, "pre_tokenizer");
    if (is_byte_level(splitter, true)) {
      return {Expression::kGpt2, key(splitter, "add_prefix_space") == true};
    }
    // The model's own expression, then bytes.
    const json& parts = key(splitter, "pretokenizers");
    if (type_of(splitter) != "Sequence" || !parts.is_array() || parts.size() != 2 ||
        type_of(parts[0]) != "Split" || !is_byte_level(parts[1], false) ||
        key(parts[1], "add_prefix_space") == true) {
      fail("pre_tokenizer " + (splitter.is_object() ? type_of(splitter) : std::string("none")) +
           " is not implemented, only ByteLevel with GPT-2's expression, or Split and then "
           "ByteLevel without one; give prompts as token ids");
    }
    const json& regex = key(key(parts[0], "pattern"), "Regex");
    const std::string text = regex.is_string() ? regex.get<std::string>() : "none";
    const std::optional<Expression> expression = expression_of(text);
    if (!expression || key(parts[0], "behavior") != "Isolated" || key(parts[0], "invert") == true) {
      fail("pre_tokenizer Split by " + text +
           " is not implemented, only by the expressions of GPT-2, Llama 3 and Qwen 2, isolated; "
           "give prompts as token ids");
    }
    return {*expression, false};
  }

  /// Ids that are put before and after every text.
  std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> surroundings() const {
    std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> ids;
    const json& ends = key(all_, "post_processor");
    if (ends.is_null()) return ids;
    json parts = json::array({ends});
    if (type_of(ends) == "Sequence") parts = key(ends, "processors");
    bool has_template = false;
    for (const json& part : parts) {
      if (type_of(part) == "ByteLevel") continue;
      if (type_of(part) != "TemplateProcessing" || has_template) {
        fail("post_processor " + type_of(part) + " is not implemented; give prompts as token ids");
      }
      has_template = true;
      bool is_behind = false;
      for (const json& item : key(part, "single")) {
        if (!key(item, "Sequence").is_null()) {
          if (is_behind) fail("post_processor: the template has the text twice");
          is_behind = true;
          continue;
        }
        const json& name = key(key(item, "SpecialToken"), "id");
        const json& token = name.is_string()
                                ? key(key(part, "special_tokens"), name.get<std::string>().c_str())
                                : name;
        if (!key(token, "ids").is_array()) fail("post_processor: a token without ids");
        for (const json& value : key(token, "ids")) {
          (is_behind ? ids.second : ids.first).push_back(id(value, "post_processor: a token"));
        }
      }
      if (!is_behind) fail("post_processor: the template has no text");
    }
    return ids;
  }

 private:
  static bool is_byte_level(const json& splitter, bool with_regex) {
    return type_of(splitter) == "ByteLevel" && (key(splitter, "use_regex") != false) == with_regex;
  }

  std::filesystem::path file_;
  json all_;
};

}  // namespace

Tokenizer::Tokenizer(const std::filesystem::path& file) {
  const Reader reader(file);
  reader.refuse_other_kinds();
  normalizes_ = reader.normalizes();
  std::tie(expression_, adds_prefix_space_) = reader.splitter();
  std::tie(before_, behind_) = reader.surroundings();
  const json& model = Reader::key(reader.all(), "model");
  const json& vocabulary = Reader::key(model, "vocab");
  if (!vocabulary.is_object() || vocabulary.empty()) reader.fail("model.vocab is missing");
  const auto put = [&](std::int32_t id, std::string bytes) {
    if (id >= size()) bytes_.resize(static_cast<std::size_t>(id) + 1);
    bytes_[static_cast<std::size_t>(id)] = std::move(bytes);
  };

  // Added tokens may also be in the vocabulary, and are not written in byte characters.
  const json& added = Reader::key(reader.all(), "added_tokens");
  for (const json& token : added) {
    const json& content = Reader::key(token, "content");
    if (!content.is_string() || content.get<std::string>().empty()) {
      reader.fail("added_tokens: a token without content");
    }
    const auto text = content.get<std::string>();
    for (const char* rule : {"lstrip", "rstrip", "single_word"}) {
      if (Reader::key(token, rule) == true) {
        reader.fail("added token " + text + ": " + rule +
                    " is not implemented; give prompts as token ids");
      }
    }
    if (normalizes_ && Reader::key(token, "normalized") == true) {
      reader.fail("added token " + text +
                  ": normalized is not implemented; give prompts as token ids");
    }
    const std::int32_t id = reader.id(Reader::key(token, "id"), "added token " + text);
    added_[text] = id;
    put(id, Reader::key(token, "special") == true ? "" : text);
  }
  std::unordered_map<std::string, std::int32_t> ids;
  for (const auto& [token, value] : vocabulary.items()) {
    const std::int32_t id = reader.id(value, "model.vocab: \"" + token + "\"");
    ids[token] = id;
    if (!added_.contains(token)) put(id, reader.bytes(token));
  }
  byte_ids_.fill(-1);
  for (const auto& [token, id] : ids) {
    if (added_.contains(token)) continue;
    const std::string& bytes = bytes_[static_cast<std::size_t>(id)];
    if (bytes.size() == 1) byte_ids_[static_cast<unsigned char>(bytes[0])] = id;
  }
  if (std::count(byte_ids_.begin(), byte_ids_.end(), -1) > 0) {
    reader.fail("model.vocab has no token for some bytes: it is not a byte-level vocabulary");
  }
  std::int32_t rank = 0;
  for (const json& value : Reader::key(model, "merges")) {
    const auto [left, right] = reader.merge(value);
    const auto a = ids.find(left);
    const auto b = ids.find(right);
    const auto both = ids.find(left + right);
    if (a == ids.end() || b == ids.end() || both == ids.end()) {
      reader.fail("model.merges: \"" + left + " " + right + "\" has no token in model.vocab");
    }
    merges_.try_emplace(pair_key(a->second, b->second), Merge{rank++, both->second});
  }
  for (const auto& around : {before_, behind_}) {
    for (const std::int32_t id : around) {
      if (id >= size()) {
        reader.fail("post_processor: id " + std::to_string(id) + " is not in the vocabulary");
      }
    }
  }
  if (Reader::key(model, "ignore_merges") != true) return;
  for (const auto& [token, id] : ids) {
    if (!added_.contains(token)) whole_[bytes_[static_cast<std::size_t>(id)]] = id;
  }
}

void Tokenizer::encode_piece(std::string_view piece, std::vector<std::int32_t>& ids) const {
  if (!whole_.empty()) {
    if (const auto found = whole_.find(std::string(piece)); found != whole_.end()) {
      ids.push_back(found->second);
      return;
    }
  }
  std::vector<std::int32_t> parts;
  parts.reserve(piece.size());
  for (const char byte : piece) parts.push_back(byte_ids_[static_cast<unsigned char>(byte)]);
  // Apply the earliest merge of the list first, wherever it occurs, until no neighbours can be
  // merged.
  while (parts.size() > 1) {
    const Merge* best = nullptr;
    std::uint64_t best_pair = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto found = merges_.find(pair_key(parts[i], parts[i + 1]));
      if (found == merges_.end() || (best != nullptr && found->second.rank >= best->rank)) continue;
      best = &found->second;
      best_pair = found->first;
    }
    if (best == nullptr) break;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_pair = i + 1 < parts.size() && pair_key(parts[i], parts[i + 1]) == best_pair;
      parts[kept++] = is_pair ? best->result : parts[i];
      if (is_pair) ++i;
    }
    parts.resize(kept);
  }
  ids.insert(ids.end(), parts.begin(), parts.end());
}

void Tokenizer::encode_plain(std::string_view text, std::vector<std::int32_t>& ids) const {
  if (text.empty()) return;
  std::string changed;
  if (normalizes_) text = changed = normal_form_c(text);
  if (adds_prefix_space_ && text.front() != ' ') text = changed = " " + std::string(text);
  for (const std::string_view piece : split_pieces(text, expression_)) encode_piece(piece, ids);
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text) const {
  std::vector<std::int32_t> ids = before_;
  while (!text.empty()) {
    // The first added token in the text, and of several that start there the longest.
    std::size_t at = std::string_view::npos;
    const std::pair<const std::string, std::int32_t>* next = nullptr;
    for (const auto& token : added_) {
      const std::size_t found = text.find(token.first);
      if (found > at || found == std::string_view::npos) continue;
      if (found == at && token.first.size() < next->first.size()) continue;
      at = found;
      next = &token;
    }
    encode_plain(text.substr(0, at), ids);
    if (next == nullptr) break;
    ids.push_back(next->second);
    text.remove_prefix(at + next->first.size());
  }
  ids.insert(ids.end(), behind_.begin(), behind_.end());
  return ids;
}

const std::string& Tokenizer::bytes_of(std::int32_t id) const {
  if (id < 0 || id >= size()) {
    throw std::out_of_range("token id " + std::to_string(id) + " is not in the vocabulary: 0 to " +
                            std::to_string(size() - 1));
  }
  return bytes_[static_cast<std::size_t>(id)];
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids) const {
  Utf8Stream stream;
  std::string text;
  for (const std::int32_t id : ids) text += stream.add(bytes_of(id));
  return text + stream.finish();
}

std::int32_t Tokenizer::id_of(std::string_view added_token) const {
  const auto found = added_.find(added_token);
  return found == added_.end() ? -1 : found->second;
}

}  // namespace engine
