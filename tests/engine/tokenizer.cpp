// SPDX-License-Identifier: MIT
// Pieces, merges, bytes and characters of texts.
#include "engine/text/tokenizer.hpp"

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "engine/text/characters.hpp"
#include "engine/text/normal_form.hpp"
#include "engine/text/pieces.hpp"
#include "engine/text/utf8_stream.hpp"
#include "support/catch.hpp"

using engine::split_pieces;
using engine::Tokenizer;
using nlohmann::json;

namespace {

std::string utf8(char32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
}

/// GPT-2's characters for bytes, by the rule in its authors' code.
std::string character_of(int byte) {
  int unprintable = 0;
  for (int b = 0; b < 256; ++b) {
    const bool is_printable = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
    if (b == byte) return utf8(static_cast<char32_t>(is_printable ? b : 256 + unprintable));
    unprintable += is_printable ? 0 : 1;
  }
  return "";
}

/// 256 bytes, then "he", "ll", "hell", "hello", " w" and an end-of-text token.
json small_tokenizer() {
  json vocabulary;
  for (int byte = 0; byte < 256; ++byte) vocabulary[character_of(byte)] = byte;
  const std::string space = character_of(' ');
  vocabulary["he"] = 256;
  vocabulary["ll"] = 257;
  vocabulary["hell"] = 258;
  vocabulary["hello"] = 259;
  vocabulary[space + "w"] = 260;
  return {
      {"version", "1.0"},
      {"added_tokens", {{{"id", 261}, {"content", "<|end|>"}, {"special", true}}}},
      {"normalizer", nullptr},
      {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}}},
      {"post_processor", nullptr},
      {"model",
       {{"type", "BPE"},
        {"vocab", vocabulary},
        {"merges", {"h e", "l l", "he ll", "hell o", space + " w"}}}}};
}

struct TokenizerFile {
  explicit TokenizerFile(const json& content) : path(folder.path() / "tokenizer.json") {
    base::write_file_atomically(path, content.dump());
  }
  base::TemporaryFolder folder;
  std::filesystem::path path;
};

using Ids = std::vector<std::int32_t>;
using Pieces = std::vector<std::string_view>;

}  // namespace

TEST_CASE("a text is divided as by GPT-2's expression", "[engine]") {
  CHECK(split_pieces("Hello world") == Pieces{"Hello", " world"});
  CHECK(split_pieces("I'll don't'S") == Pieces{"I", "'ll", " don", "'t", "'", "S"});
  CHECK(split_pieces("a  b") == Pieces{"a", " ", " b"});
  CHECK(split_pieces("a   ") == Pieces{"a", "   "});
  CHECK(split_pieces("a\n\nb") == Pieces{"a", "\n", "\n", "b"});
  CHECK(split_pieces("a \n b") == Pieces{"a", " \n", " b"});
  CHECK(split_pieces("\tx") == Pieces{"\t", "x"});
  CHECK(split_pieces("x1 23y") == Pieces{"x", "1", " 23", "y"});
  CHECK(split_pieces("... (a)!?") == Pieces{"...", " (", "a", ")!?"});
  CHECK(split_pieces(" '") == Pieces{" '"});
  CHECK(split_pieces("—'s") == Pieces{"—'", "s"});
  CHECK(split_pieces("größer 12½") == Pieces{"größer", " 12½"});
  CHECK(split_pieces("日本語。") == Pieces{"日本語", "。"});
  CHECK(split_pieces("a\u00a0b") == Pieces{"a", "\u00a0", "b"});
  CHECK(split_pieces("a\xff\xfe b") == Pieces{"a", "\xff\xfe", " b"});
  CHECK(split_pieces("").empty());
}

TEST_CASE("letters, numbers and spaces of Unicode are known", "[engine]") {
  for (const char32_t code : {U'a', U'Z', U'ß', U'Ж', U'日', U'ª', U'\U00020000'}) {
    CHECK(engine::is_letter(code));
  }
  for (const char32_t code : {U'_', U'1', U'\u0301', U'\u20ac', U' ', U'@', U'['}) {
    CHECK_FALSE(engine::is_letter(code));
  }
  for (const char32_t code : {U'0', U'9', U'½', U'Ⅻ', U'٣'}) CHECK(engine::is_number(code));
  CHECK_FALSE(engine::is_number(U'/'));
  CHECK_FALSE(engine::is_number(U':'));
  CHECK(engine::is_space(U'\u2003'));
  CHECK_FALSE(engine::is_space(U'\u200b'));
}

TEST_CASE("texts become the ids that another implementation gives them", "[engine]") {
  // tokenizers.json is written by make_tokenizers.py, which says with what.
  const json file = json::parse(base::read_file(RL_TOKENIZERS));
  std::size_t cases = 0;
  for (const json& kind : file["kinds"]) {
    INFO("kind " << kind["kind"]);
    const auto expression = engine::expression_of(kind["expression"].get<std::string>());
    REQUIRE(expression.has_value());
    const TokenizerFile written(kind["tokenizer"]);
    const Tokenizer tokenizer(written.path);
    for (const json& one : kind["cases"]) {
      const auto text = one["text"].get<std::string>();
      INFO("text " << one["text"].dump());
      const auto pieces = split_pieces(text, *expression);
      CHECK(std::vector<std::string>(pieces.begin(), pieces.end()) ==
            one["pieces"].get<std::vector<std::string>>());
      const Ids ids = tokenizer.encode(text);
      CHECK(ids == one["ids"].get<Ids>());
      if (kind["kind"] != "qwen2") CHECK(tokenizer.decode(ids) == text);
      ++cases;
    }
  }
  CHECK(cases == 3 * 180);
}

TEST_CASE("texts that are one piece, or have single digits, become another implementation's ids",
          "[engine]") {
  const json file = json::parse(base::read_file(RL_TOKENIZERS));
  for (const json& kind : file["others"]) {
    INFO("kind " << kind["kind"]);
    const TokenizerFile written(kind["tokenizer"]);
    const Tokenizer tokenizer(written.path);
    for (const json& one : kind["cases"]) {
      INFO("text " << one["text"].dump());
      CHECK(tokenizer.encode(one["text"].get<std::string>()) == one["ids"].get<Ids>());
    }
  }
  CHECK(file["others"].size() == 5);
}

TEST_CASE("a space before a text comes back with it, and bytes become characters", "[engine]") {
  const json file = json::parse(base::read_file(RL_TOKENIZERS));
  const TokenizerFile written(file["others"][0]["tokenizer"]);
  const Tokenizer tokenizer(written.path);
  CHECK(tokenizer.decode(tokenizer.encode("größe 日本 hello")) == " größe 日本 hello");
  CHECK(tokenizer.decode(Ids{2 + 'A', 2 + 0xFF, 1}) == "A\xEF\xBF\xBD");  // <s> is not shown
}

TEST_CASE("a long piece is merged in less than quadratic time", "[engine]") {
  const TokenizerFile file(small_tokenizer());
  const Tokenizer tokenizer(file.path);
  std::string letters;
  for (int i = 0; i < 200000; ++i) letters += "hel"[i % 3];
  CHECK(tokenizer.encode(letters).size() == 133333);  // "he" and "l" of each three, and a last "he"
}

TEST_CASE("a text is composed as another implementation composes it", "[engine]") {
  const json file = json::parse(base::read_file(RL_TOKENIZERS));
  for (const json& pair : file["composed"]) {
    INFO("text " << pair[0].dump(-1, ' ', true));
    CHECK(engine::normal_form_c(pair[0].get<std::string>()) == pair[1].get<std::string>());
  }
  CHECK(file["composed"].size() == 480);
  // Nothing is composed across a byte that is not UTF-8.
  CHECK(engine::normal_form_c("e\xff\u0301") == "e\xff\u0301");
  CHECK(engine::normal_form_c("e\u0301\xff") == "\u00e9\xff");
}

TEST_CASE("only expressions that are implemented are known", "[engine]") {
  CHECK_FALSE(engine::expression_of("").has_value());
  CHECK_FALSE(engine::expression_of("\\s+").has_value());
}

TEST_CASE("merges are made in their order", "[engine]") {
  const TokenizerFile file(small_tokenizer());
  const Tokenizer tokenizer(file.path);
  CHECK(tokenizer.size() == 262);
  CHECK(tokenizer.encode("hello") == Ids{259});
  CHECK(tokenizer.encode("help") == Ids{256, 'l', 'p'});
  CHECK(tokenizer.encode("shell") == Ids{'s', 258});
  CHECK(tokenizer.encode("hello world") == Ids{259, 260, 'o', 'r', 'l', 'd'});
  CHECK(tokenizer.encode("lll") == Ids{257, 'l'});
  CHECK(tokenizer.encode("").empty());
}

TEST_CASE("every text comes back", "[engine]") {
  const TokenizerFile file(small_tokenizer());
  const Tokenizer tokenizer(file.path);
  for (const std::string text :
       {"hello, world!\n\n\ttabs  and   spaces ", "größe 日本語 😀 e\u0301"}) {
    CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
  }
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  std::string back;
  for (const std::int32_t id : tokenizer.encode(bytes)) back += tokenizer.bytes_of(id);
  CHECK(back == bytes);
}

TEST_CASE("added tokens are found in a text, and special ones are not shown", "[engine]") {
  json content = small_tokenizer();
  content["added_tokens"].push_back({{"id", 262}, {"content", "<|end|>>"}, {"special", false}});
  const TokenizerFile file(content);
  const Tokenizer tokenizer(file.path);
  CHECK(tokenizer.encode("a<|end|>b") == Ids{'a', 261, 'b'});
  CHECK(tokenizer.encode("<|end|>>") == Ids{262});  // the longest that starts there
  CHECK(tokenizer.decode(Ids{'a', 261, 'b'}) == "ab");
  CHECK(tokenizer.decode(Ids{262}) == "<|end|>>");
  CHECK(tokenizer.id_of("<|end|>") == 261);
  CHECK(tokenizer.id_of("hello") == -1);
  CHECK_THROWS_WITH(tokenizer.bytes_of(263), Catch::Matchers::Contains("id 263 is not in"));
  CHECK_THROWS(tokenizer.bytes_of(-1));
}

TEST_CASE("a character that is not complete waits for its bytes", "[engine]") {
  engine::Utf8Stream stream;
  CHECK(stream.add("a\xe2").append("|") == "a|");
  CHECK(stream.add("\x82") == "");
  CHECK(stream.add("\xac!") == "€!");
  CHECK(stream.finish().empty());
  CHECK(stream.add("\xf0\x9f") == "");
  CHECK(stream.finish() == "\xEF\xBF\xBD");
  CHECK(stream.add("\xff"
                   "b") ==
        "\xEF\xBF\xBD"
        "b");
  CHECK(stream.add("\xe2"
                   "c") ==
        "\xEF\xBF\xBD"
        "c");
}

TEST_CASE("a tokenizer that would give other ids is refused", "[engine]") {
  using Catch::Matchers::Contains;
  const auto complaint = [](const json& content) -> std::string {
    const TokenizerFile file(content);
    try {
      const Tokenizer tokenizer(file.path);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  json content = small_tokenizer();
  CHECK(complaint(content).empty());
  content["model"]["merges"] = json::array({json::array({"h", "e"})});
  CHECK(complaint(content).empty());
  content["model"]["merges"] = {"x y"};
  CHECK_THAT(complaint(content), Contains("\"x y\" has no token"));
  content = small_tokenizer();
  content["model"]["type"] = "Unigram";
  CHECK_THAT(complaint(content), Contains("only BPE is read"));
  content = small_tokenizer();
  content["normalizer"] = {{"type", "NFKC"}};
  CHECK_THAT(complaint(content), Contains("normalizer NFKC is not implemented"));
  content["normalizer"] = {{"type", "NFC"}};
  CHECK(complaint(content).empty());
  content["added_tokens"][0]["normalized"] = true;
  CHECK_THAT(complaint(content), Contains("<|end|>: normalized is not implemented"));
  content = small_tokenizer();
  content["pre_tokenizer"] = {{"type", "Split"}};
  CHECK_THAT(complaint(content), Contains("pre_tokenizer Split is not implemented"));
  const auto with_split = [](const char* regex, const char* behavior, bool has_regex) {
    json other = small_tokenizer();
    other["pre_tokenizer"] = {
        {"type", "Sequence"},
        {"pretokenizers",
         {{{"type", "Split"}, {"pattern", {{"Regex", regex}}}, {"behavior", behavior}},
          {{"type", "ByteLevel"}, {"use_regex", has_regex}}}}};
    return other;
  };
  CHECK_THAT(complaint(with_split("\\p{N}{1,3}", "Isolated", false)),
             Contains("Split by \\p{N}{1,3} is not implemented"));
  constexpr const char* kGpt2 =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  CHECK(complaint(with_split(kGpt2, "Isolated", false)).empty());
  CHECK_THAT(complaint(with_split(kGpt2, "Removed", false)), Contains("isolated"));
  CHECK_THAT(complaint(with_split(kGpt2, "Isolated", true)), Contains("pre_tokenizer Sequence"));
  content["pre_tokenizer"] = {{"type", "ByteLevel"}, {"use_regex", false}};
  CHECK_THAT(complaint(content), Contains("only ByteLevel with GPT-2's expression"));
  for (const char* rule : {"lstrip", "rstrip", "single_word"}) {
    content = small_tokenizer();
    content["added_tokens"][0][rule] = true;
    CHECK_THAT(complaint(content),
               Contains(std::string("added token <|end|>: ") + rule + " is not implemented"));
  }
  content = small_tokenizer();
  content["post_processor"] = {{"type", "RobertaProcessing"}};
  CHECK_THAT(complaint(content), Contains("post_processor RobertaProcessing"));
  content["post_processor"] = {{"type", "TemplateProcessing"}};
  CHECK_THAT(complaint(content), Contains("the template has no text"));
  content["post_processor"]["single"] = {{{"Sequence", {{"id", "A"}}}},
                                         {{"SpecialToken", {{"id", "<|end|>"}}}}};
  CHECK_THAT(complaint(content), Contains("a token without ids"));
  content["post_processor"]["special_tokens"] = {{"<|end|>", {{"ids", {300}}}}};
  CHECK_THAT(complaint(content), Contains("id 300 is not in the vocabulary"));
  content = small_tokenizer();
  content["model"]["end_of_word_suffix"] = "</w>";
  CHECK_THAT(complaint(content), Contains("model.end_of_word_suffix is not implemented"));
  content = small_tokenizer();
  content["model"]["dropout"] = 0.1;
  CHECK_THAT(complaint(content), Contains("model.dropout is not implemented"));
  content = small_tokenizer();
  content["model"]["vocab"].erase("a");
  CHECK_THAT(complaint(content), Contains("no token for some bytes"));
  content = small_tokenizer();
  content["model"]["vocab"]["日"] = 262;
  CHECK_THAT(complaint(content), Contains("represents no byte"));
  content = json::parse(base::read_file(RL_TOKENIZERS))["others"][0]["tokenizer"];
  CHECK(complaint(content).empty());
  content["model"]["byte_fallback"] = false;
  CHECK_THAT(complaint(content), Contains("model.byte_fallback is not true"));
  content["model"]["byte_fallback"] = true;
  content["model"]["vocab"].erase("<0x0A>");
  CHECK_THAT(complaint(content), Contains("no token for some bytes"));
  content["normalizer"] = {{"type", "Prepend"}, {"prepend", "\u2581"}};
  CHECK_THAT(complaint(content), Contains("Prepend is not implemented without Replace"));
  content["normalizer"] = nullptr;
  content["pre_tokenizer"] = {{"type", "Metaspace"}, {"replacement", "\u2581"}};
  CHECK_THAT(complaint(content), Contains("Metaspace is only implemented without split"));
  CHECK_THAT(complaint(json(3)), Contains("not a JSON object"));
}
