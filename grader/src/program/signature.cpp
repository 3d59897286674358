// SPDX-License-Identifier: MIT
// Finds a function's definition in C++ text.
#include "grader/program/signature.hpp"

#include <algorithm>
#include <cctype>

namespace grader {
namespace {

/// Bounds on the text that is examined, because students write it.
constexpr std::size_t kMostSource = std::size_t{1} << 20;
constexpr int kMostMentions = 100;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The source with comments replaced by blanks and literals by "".
std::string without_comments(std::string_view source) {
  std::string code;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string_view rest = source.substr(i);
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      const bool is_line = rest[1] == '/';
      const std::size_t end = rest.find(is_line ? "\n" : "*/", 2);
      if (end == std::string_view::npos) return code;
      i += is_line ? end : end + 1;
      code += ' ';
    } else if (rest[0] == '"') {
      std::size_t end = 1;
      while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
      i += end;
      code += "\"\"";
    } else {
      code += rest[0];
    }
  }
  return code;
}

/// Position of the bracket that closes the one at `open`; npos if there is none.
std::size_t closing(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string trimmed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_blank) result += c;
    if (is_blank && !result.empty() && result.back() != ' ') result += ' ';
  }
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

/// Without keywords that mean nothing to the reader.
std::string without_restrict(std::string text) {
  for (const std::string_view word : {"__restrict__", "__restrict"}) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word)) {
      text.erase(at, word.size());
    }
  }
  return text;
}

SourceParameter parameter_of(const std::string& text) {
  SourceParameter parameter;
  parameter.declaration = trimmed(without_restrict(text.substr(0, text.find('='))));
  const std::string_view all = parameter.declaration;
  std::size_t end = std::min(all.find('['), all.size());
  while (end > 0 && all[end - 1] == ' ') --end;
  std::size_t start = end;
  while (start > 0 && is_word(all[start - 1])) --start;
  // A type alone is not a name: a name has something in front of it.
  if (start > 0) parameter.name = all.substr(start, end - start);
  return parameter;
}

}  // namespace

std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '}' || c == '>') --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty()) parts.push_back(trimmed(part));
  return parts;
}

std::vector<SourceParameter> parameters_of(std::string_view source, std::string_view function) {
  const std::string code = without_comments(source.substr(0, kMostSource));
  std::size_t at = code.find(function);
  for (int i = 0; i < kMostMentions && at != std::string::npos;
       ++i, at = code.find(function, at + 1)) {
    std::size_t open = at + function.size();
    if (at > 0 && is_word(code[at - 1])) continue;
    while (open < code.size() && std::isspace(static_cast<unsigned char>(code[open])) != 0) ++open;
    if (open == code.size() || code[open] != '(') continue;
    const std::size_t close = closing(code, open);
    if (close == std::string::npos) continue;
    const std::size_t next = code.find_first_not_of(" \t\r\n", close + 1);
    if (next == std::string::npos || code[next] != '{') continue;  // a call
    std::vector<SourceParameter> parameters;
    for (const std::string& part :
         split_arguments(std::string_view(code).substr(open + 1, close - open - 1))) {
      parameters.push_back(parameter_of(part));
    }
    return parameters;
  }
  return {};
}

}  // namespace grader
