// SPDX-License-Identifier: MIT
// Parses answers.toml line by line.
#include "grader/exercise/answers.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t kLargestFile = 1U << 20;
constexpr std::size_t kLongestLine = 300;

bool only_comment(std::string_view rest) {
  const std::string_view left = base::trimmed(rest);
  return left.empty() || left.front() == '#';
}

/// The text as a plain editor writes it: without the quotes and minus signs that word processors
/// put in, invisible characters that come along from web pages, and the line ends of other systems.
std::string as_typed(std::string_view text) {
  constexpr std::array kTyped =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"\r\n", "\n"},
                                                                    {"\r", "\n"},
                                                                    {"\u201c", "\""},
                                                                    {"\u201d", "\""},
                                                                    {"\u201e", "\""},
                                                                    {"\u2018", "'"},
                                                                    {"\u2019", "'"},
                                                                    {"\u201a", "'"},
                                                                    {"\u2212", "-"},
                                                                    {"\u200b", ""},
                                                                    {"\u200e", ""},
                                                                    {"\u200f", ""},
                                                                    {"\u2060", ""},
                                                                    {"\ufeff", ""}});
  return base::with_plain_blanks(base::replaced(text, kTyped));
}

}  // namespace

AnswerFile AnswerFile::read(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) return {};
  if (size > kLargestFile) {
    AnswerFile refused;
    refused.problem_ = "answers.toml is larger than 1 MB and is not read";
    return refused;
  }
  std::ifstream in(file, std::ios::binary);
  return parse(std::string(std::istreambuf_iterator<char>(in), {}));
}

AnswerFile AnswerFile::parse(std::string_view file) {
  AnswerFile result;
  const std::string typed = as_typed(file);
  std::string_view content = typed;
  while (content.ends_with('\0')) content.remove_suffix(1);  // some editors end a file this way
  if (content.find('\0') != std::string_view::npos) {
    result.problem_ = "answers.toml is not plain text (UTF-16?); save it as UTF-8";
    return result;
  }
  std::string current;
  int number = 0;
  while (!content.empty()) {
    const auto end = content.find('\n');
    result.parse_line(content.substr(0, end), ++number, current);
    content = end == std::string_view::npos ? std::string_view{} : content.substr(end + 1);
  }
  return result;
}

std::set<std::string> AnswerFile::ids() const {
  std::set<std::string> all;
  for (const auto& [id, answer] : answers_) all.insert(id);
  return all;
}

const StudentAnswer* AnswerFile::find(const std::string& id) const {
  const auto found = answers_.find(id);
  return found == answers_.end() ? nullptr : &found->second;
}

void AnswerFile::complain(const std::string& id, int line, std::size_t column,
                          const std::string& message) {
  const std::string text = "answers.toml, line " + std::to_string(line) + ", column " +
                           std::to_string(column + 1) + ": " + message;
  std::string& place = id.empty() ? problem_ : answers_[id].problem;
  if (place.empty()) place = text;
}

void AnswerFile::parse_line(std::string_view line, int number, std::string& current) {
  const std::string_view content = base::trimmed(line);
  if (only_comment(content)) return;
  const auto column = static_cast<std::size_t>(content.data() - line.data());
  if (line.size() > kLongestLine) {
    complain(current, number, column, "the line is too long for an answer");
  } else if (content.front() == '[') {
    parse_header(line, number, current);
  } else {
    parse_value(line, number, current);
  }
}

void AnswerFile::parse_header(std::string_view line, int number, std::string& current) {
  const std::string_view content = base::trimmed(base::trimmed(line).substr(1));
  const char quote = content.empty() ? '\0' : content.front();
  const auto close = content.find(quote, 1);
  const std::string_view rest =
      close == std::string_view::npos ? content : base::trimmed(content.substr(close + 1));
  if ((quote != '"' && quote != '\'') || !rest.starts_with(']') || !only_comment(rest.substr(1))) {
    current.clear();
    complain(current, number, 0, "a header must look like [\"02.saxpy.ai\"]");
    return;
  }
  current = std::string(content.substr(1, close - 1));
  if (answers_.contains(current)) {
    const int first = answers_[current].line;
    complain(current, number, 0,
             "'" + current + "' is given twice (first in line " + std::to_string(first) + ")");
    return;
  }
  answers_[current].line = number;
}

void AnswerFile::parse_value(std::string_view line, int number, const std::string& current) {
  const auto equals = line.find('=');
  const std::string_view key = base::trimmed(line.substr(0, std::min(equals, line.size())));
  if (equals == std::string_view::npos || (key != "value" && key != "\"value\"")) {
    return complain(current, number, 0, "expected value = \"...\"");
  }
  if (current.empty()) return complain(current, number, 0, "a value before the first header");
  StudentAnswer& answer = answers_[current];
  if (!answer.text.empty()) return complain(current, number, 0, "value is given twice");
  const std::string_view value = base::trimmed(line.substr(equals + 1));
  const auto column = static_cast<std::size_t>(value.data() - line.data());
  if (value.empty()) return complain(current, number, equals, "the value is missing after =");
  if (value.front() != '"' && value.front() != '\'') {
    answer.text = base::trimmed(value.substr(0, value.find('#')));
    return;
  }
  const auto close = value.find(value.front(), 1);
  if (close == std::string_view::npos) {
    return complain(current, number, column, "the closing quote is missing");
  }
  if (!only_comment(value.substr(close + 1))) {
    return complain(current, number, column + close + 1, "text after the closing quote");
  }
  answer.text = base::trimmed(value.substr(1, close - 1));
}

}  // namespace grader
