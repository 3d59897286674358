// SPDX-License-Identifier: MIT
// A lexer for comparing sources; it never fails.
#include "grader/batch/tokens.hpp"

#include <algorithm>
#include <cctype>

namespace grader {
namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// Joins lines that end in a backslash with the next.
std::string spliced(std::string_view source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    std::size_t next = i + 1;
    if (next < source.size() && source[next] == '\r') ++next;
    if (source[i] == '\\' && next < source.size() && source[next] == '\n') {
      i = next;
    } else {
      text += source[i];
    }
  }
  return text;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> cpp() {
    bool line_begins = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        line_begins = true;
        ++at_;
      } else if (is_blank(c)) {
        ++at_;
      } else if (!skip_comment()) {
        if (c == '#' && line_begins) {
          directive();
        } else {
          token();
        }
        line_begins = false;
      }
    }
    return std::move(tokens_);
  }

  std::vector<Token> toml() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        skip_line();
      } else if (is_blank(text_[at_])) {
        ++at_;
      } else {
        token();
      }
    }
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void skip_past(std::string_view end, std::size_t from) {
    const std::size_t found = text_.find(end, from);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  bool skip_comment() {
    if (text_.substr(at_, 2) == "//") {
      skip_line();
    } else if (text_.substr(at_, 2) == "/*") {
      skip_past("*/", at_ + 2);
    } else {
      return false;
    }
    return true;
  }

  void add(Token::Kind kind, std::size_t begin) {
    tokens_.push_back({kind, std::string(text_.substr(begin, at_ - begin))});
  }

  void token() {
    const std::size_t begin = at_;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      number();
      add(Token::Kind::kNumber, begin);
    } else if (is_letter(peek())) {
      while (is_letter(peek()) || is_digit(peek())) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      if (!literal_after(word)) add(Token::Kind::kWord, begin);
    } else if (peek() == '"' || peek() == '\'') {
      quoted();
    } else {
      ++at_;
      add(Token::Kind::kSign, begin);
    }
  }

  /// A preprocessing number: 1'000, 0x1p-3, 1e+5f, 1.5_km.
  void number() {
    while (at_ < text_.size()) {
      const char c = peek();
      const bool is_exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (is_exponent && (peek(1) == '+' || peek(1) == '-')) {
        at_ += 2;
      } else if (c == '\'' && (is_letter(peek(1)) || is_digit(peek(1)))) {
        at_ += 2;
      } else if (is_letter(c) || is_digit(c) || c == '.') {
        ++at_;
      } else {
        return;
      }
    }
  }

  /// Takes u8"...", LR"(...)" and their like. False when the word is only a word.
  bool literal_after(std::string_view word) {
    const bool is_prefix = word == "u8" || word == "u" || word == "U" || word == "L";
    const bool is_raw =
        word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
    if (is_raw && peek() == '"') {
      const std::size_t open = text_.find('(', at_);
      if (open == std::string_view::npos) return false;
      const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
      skip_past(end, open + 1);
      tokens_.push_back({Token::Kind::kText, "\""});
      return true;
    }
    if (!is_prefix || (peek() != '"' && peek() != '\'')) return false;
    quoted();
    return true;
  }

  void quoted() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
    at_ = std::min(at_, text_.size());
    tokens_.push_back({Token::Kind::kText, "\""});
  }

  /// A directive's line without trailing comments; at_ moves to the end of the line.
  std::string directive_line() {
    const std::size_t begin = at_;
    skip_line();
    std::string line(text_.substr(begin, at_ - begin));
    line = line.substr(0, std::min(line.find("//"), line.find("/*")));
    std::erase_if(line, [](char c) { return is_blank(c); });
    return line;
  }

  void directive() {
    const std::size_t begin = at_;
    const std::string line = directive_line();
    if (line == "#if0" || line == "#iffalse" || line == "#if!1") return skip_group();
    if (line == "#if1" || line == "#iftrue" || line == "#if!0") return always_.push_back(depth_++);
    if (line.starts_with("#if")) {
      ++depth_;
    } else if (line.starts_with("#el") && !always_.empty() && always_.back() == depth_ - 1) {
      return skip_group();
    } else if (line.starts_with("#endif")) {
      depth_ -= depth_ > 0 ? 1 : 0;
      if (!always_.empty() && always_.back() >= depth_) always_.pop_back();
      return;
    }
    // Keep the tokens of #include and #define lines: they count like any others.
    at_ = begin;
    tokens_.push_back({Token::Kind::kSign, "#"});
    ++at_;
  }

  /// Skips lines up to the #else, #elif or #endif of this group; quotes have no meaning in them.
  void skip_group() {
    int inner = 0;
    while (at_ < text_.size()) {
      ++at_;  // end of the previous line
      const std::size_t begin = at_;
      const std::string line = directive_line();
      if (line.starts_with("#if")) ++inner;
      if (inner == 0 && line.starts_with("#endif")) {
        if (!always_.empty() && always_.back() == depth_ - 1) {
          at_ = begin;  // ends the group that is always compiled
          directive();
        }
        return;
      }
      if (inner == 0 && line.starts_with("#el") &&
          (always_.empty() || always_.back() != depth_ - 1)) {
        ++depth_;  // the other branch is compiled, and has an #endif
        return;
      }
      if (line.starts_with("#endif")) --inner;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;            ///< groups that are open
  std::vector<int> always_;  ///< depths of those that begin with #if 1
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> cpp_tokens(std::string_view source) {
  const std::string text = spliced(source);
  return Lexer(text).cpp();
}

std::vector<Token> toml_tokens(std::string_view source) {
  return Lexer(source).toml();
}

}  // namespace grader
