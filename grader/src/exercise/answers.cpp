// SPDX-License-Identifier: MIT
// Parses answers.toml line by line.
#include "grader/exercise/answers.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

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
  const std::string with_blanks = base::with_plain_blanks(base::without_byte_order_mark(file));
  std::string_view content = with_blanks;
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
  const std::string_view content = base::trimmed(line);
  const auto close = content.find("\"]", 2);
  if (!content.starts_with("[\"") || close == std::string_view::npos ||
      !only_comment(content.substr(close + 2))) {
    current.clear();
    complain(current, number, 0, "a header must look like [\"02.saxpy.ai\"]");
    return;
  }
  current = std::string(content.substr(2, close - 2));
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
  if (equals == std::string_view::npos || base::trimmed(line.substr(0, equals)) != "value") {
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
