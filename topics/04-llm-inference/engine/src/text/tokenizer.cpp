// SPDX-License-Identifier: MIT
// tokenizer.json: vocabulary and merges, in GPT-2's characters for bytes or in Llama 2's pieces of
// text, and added tokens.
#include "engine/text/tokenizer.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
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
/// What Llama 2's tokens have in place of a space, U+2581.
constexpr std::string_view kVisibleSpace = "\xe2\x96\x81";

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

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
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

  /// The bytes of one of Llama 2's tokens: "<0x0A>" is one byte.
  static std::string bytes_of_text(const std::string& token) {
    if (const auto byte = byte_of(token)) return {static_cast<char>(*byte)};
    return replaced(token, kVisibleSpace, " ");
  }
  static std::optional<unsigned char> byte_of(std::string_view token) {
    unsigned byte = 0;
    if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with(">")) return {};
    const auto [end, error] = std::from_chars(token.data() + 3, token.data() + 5, byte, 16);
    if (error != std::errc() || end != token.data() + 5) return {};
    return static_cast<unsigned char>(byte);
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

  Splitting splitting() const {
    Splitting splitting;
    read_normalizer(splitting);
    read_splitter(splitting);
    if (splitting.is_whole && key(key(all_, "model"), "byte_fallback") != true) {
      fail("model.byte_fallback is not true, so some texts have no tokens");
    }
    return splitting;
  }

 private:
  void read_normalizer(Splitting& splitting) const {
    const json& normalizer = key(all_, "normalizer");
    if (normalizer.is_null()) return;
    const json& list = key(normalizer, "normalizers");
    const json parts = type_of(normalizer) == "Sequence" ? list : json::array({normalizer});
    for (const json& part : parts) {
      const bool marks_spaces = type_of(part) == "Replace" &&
                                key(key(part, "pattern"), "String") == " " &&
                                key(part, "content") == kVisibleSpace;
      if (type_of(part) == "NFC") {
        splitting.composes = true;
      } else if (type_of(part) == "Prepend" && key(part, "prepend") == kVisibleSpace) {
        splitting.prefix = Prefix::kSpace;
      } else if (marks_spaces) {
        splitting.is_whole = true;
      } else {
        fail("normalizer " + type_of(part) + " is not implemented; give prompts as token ids");
      }
    }
    if (splitting.prefix != Prefix::kNone && !splitting.is_whole) {
      fail("normalizer Prepend is not implemented without Replace; give prompts as token ids");
    }
  }

  void read_splitter(Splitting& splitting) const {
    const json& splitter = key(all_, "pre_tokenizer");
    if (splitting.is_whole && splitter.is_null()) return;
    if (type_of(splitter) == "Metaspace") return read_metaspace(splitter, splitting);
    if (splitting.is_whole) {
      fail("pre_tokenizer " + type_of(splitter) +
           " is not implemented behind the normalizer Replace; give prompts as token ids");
    }
    const json& parts = key(splitter, "pretokenizers");
    const bool is_pair = type_of(splitter) == "Sequence" && parts.is_array() && parts.size() == 2;
    splitting.has_single_digits =
        is_pair && type_of(parts[0]) == "Digits" && key(parts[0], "individual_digits") == true;
    const json& level = splitting.has_single_digits ? parts[1] : splitter;
    if (is_byte_level(level, true)) {
      if (key(level, "add_prefix_space") == true) splitting.prefix = Prefix::kSpaceUnlessThere;
      if (splitting.prefix == Prefix::kNone || !splitting.has_single_digits) return;
      fail(
          "pre_tokenizer Digits is not implemented with add_prefix_space; give prompts as token "
          "ids");
    }
    splitting.expression = expression(splitter);
  }

  void read_metaspace(const json& splitter, Splitting& splitting) const {
    if (splitting.is_whole || key(splitter, "replacement") != kVisibleSpace ||
        key(splitter, "split") != false) {
      fail("pre_tokenizer Metaspace is only implemented without split; give prompts as token ids");
    }
    splitting.is_whole = true;
    const json& scheme = key(splitter, "prepend_scheme");
    if (scheme == "first") {
      splitting.prefix = Prefix::kSpaceUnlessThereAtStart;
    } else if (scheme != "never") {
      splitting.prefix = Prefix::kSpaceUnlessThere;
    }
  }

  /// The model's own expression, then bytes.
  Expression expression(const json& splitter) const {
    const json& parts = key(splitter, "pretokenizers");
    if (type_of(splitter) != "Sequence" || !parts.is_array() || parts.size() != 2 ||
        type_of(parts[0]) != "Split" || !is_byte_level(parts[1], false) ||
        key(parts[1], "add_prefix_space") == true) {
      fail("pre_tokenizer " + (splitter.is_object() ? type_of(splitter) : std::string("none")) +
           " is not implemented, only ByteLevel with GPT-2's expression, also behind Digits, "
           "Split and then ByteLevel without one, and Metaspace; give prompts as token ids");
    }
    const json& regex = key(key(parts[0], "pattern"), "Regex");
    const std::string text = regex.is_string() ? regex.get<std::string>() : "none";
    const std::optional<Expression> expression = expression_of(text);
    if (!expression || key(parts[0], "behavior") != "Isolated" || key(parts[0], "invert") == true) {
      fail("pre_tokenizer Split by " + text +
           " is not implemented, only by the expressions of GPT-2, Llama 3 and Qwen 2, isolated; "
           "give prompts as token ids");
    }
    return *expression;
  }

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
  splitting_ = reader.splitting();
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
    const bool changes_text = splitting_.composes || splitting_.is_whole;
    if (changes_text && Reader::key(token, "normalized") == true) {
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
    if (added_.contains(token)) continue;
    put(id, splitting_.is_whole ? Reader::bytes_of_text(token) : reader.bytes(token));
    if (splitting_.is_whole && base::first_character(token).bytes == token.size()) {
      characters_[token] = id;
    }
  }
  byte_ids_.fill(-1);
  for (const auto& [token, id] : ids) {
    if (added_.contains(token)) continue;
    const std::string& bytes = bytes_[static_cast<std::size_t>(id)];
    const bool is_byte =
        splitting_.is_whole ? Reader::byte_of(token).has_value() : bytes.size() == 1;
    if (is_byte) byte_ids_[static_cast<unsigned char>(bytes[0])] = id;
  }
  if (std::count(byte_ids_.begin(), byte_ids_.end(), -1) > 0) {
    reader.fail("model.vocab has no token for some bytes");
  }
  for (const json& value : Reader::key(model, "merges")) {
    const auto [left, right] = reader.merge(value);
    const auto a = ids.find(left);
    const auto b = ids.find(right);
    const auto both = ids.find(left + right);
    if (a == ids.end() || b == ids.end() || both == ids.end()) {
      reader.fail("model.merges: \"" + left + " " + right + "\" has no token in model.vocab");
    }
    merges_.add(a->second, b->second, both->second);
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
    if (added_.contains(token)) continue;
    whole_[splitting_.is_whole ? token : bytes_[static_cast<std::size_t>(id)]] = id;
  }
}

/// The tokens of a piece's characters or bytes, before any merge.
std::vector<std::int32_t> Tokenizer::parts_of(std::string_view piece) const {
  std::vector<std::int32_t> parts;
  parts.reserve(piece.size());
  while (!piece.empty()) {
    const std::size_t bytes = splitting_.is_whole ? base::first_character(piece).bytes : 1;
    const auto known = characters_.find(std::string(piece.substr(0, bytes)));
    if (known != characters_.end()) {
      parts.push_back(known->second);
    } else {
      for (const char byte : piece.substr(0, bytes)) {
        parts.push_back(byte_ids_[static_cast<unsigned char>(byte)]);
      }
    }
    piece.remove_prefix(bytes);
  }
  return parts;
}

void Tokenizer::encode_piece(std::string_view piece, std::vector<std::int32_t>& ids) const {
  if (!whole_.empty()) {
    if (const auto found = whole_.find(std::string(piece)); found != whole_.end()) {
      ids.push_back(found->second);
      return;
    }
  }
  std::vector<std::int32_t> parts = parts_of(piece);
  merges_.apply(parts);
  ids.insert(ids.end(), parts.begin(), parts.end());
}

void Tokenizer::encode_plain(std::string_view text, bool is_start,
                             std::vector<std::int32_t>& ids) const {
  if (text.empty()) return;
  std::string changed = splitting_.composes ? normal_form_c(text) : std::string(text);
  if (splitting_.is_whole) changed = replaced(changed, " ", kVisibleSpace);
  const std::string space(splitting_.is_whole ? kVisibleSpace : " ");
  const Prefix prefix = splitting_.prefix;
  const bool may_have = prefix == Prefix::kSpaceUnlessThere ||
                        (prefix == Prefix::kSpaceUnlessThereAtStart && is_start);
  if (prefix == Prefix::kSpace || (may_have && !changed.starts_with(space))) {
    changed.insert(0, space);
  }
  if (splitting_.is_whole) return encode_piece(changed, ids);
  const auto encode_pieces = [&](std::string_view part) {
    for (const std::string_view piece : split_pieces(part, splitting_.expression)) {
      encode_piece(piece, ids);
    }
  };
  if (!splitting_.has_single_digits) return encode_pieces(changed);
  for (const std::string_view part : split_digits(changed)) encode_pieces(part);
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text) const {
  std::vector<std::int32_t> ids = before_;
  bool is_start = true;
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
    encode_plain(text.substr(0, at), is_start, ids);
    is_start = false;
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
