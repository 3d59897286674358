// SPDX-License-Identifier: MIT
// Reading CSV files.
#include "csv.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace roofline::llm {
namespace {

[[noreturn]] void fail_at(const std::filesystem::path& file, std::size_t line,
                          const std::string& what) {
  throw std::runtime_error(file.string() + ":" + std::to_string(line) + ": " + what);
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot open " + file.string());
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Cuts text into records; quoted fields may hold commas, quotes (doubled) and line ends.
class Splitter {
 public:
  Splitter(const std::filesystem::path& file, const std::string& text) : file_(file), text_(text) {}

  bool at_end() const { return place_ >= text_.size(); }
  std::size_t line() const { return line_; }

  std::vector<std::string> record() {
    std::vector<std::string> fields;
    do {
      fields.push_back(text_[place_] == '"' ? quoted() : plain());
    } while (take(','));
    take('\r');
    if (!at_end() && !take('\n')) fail_at(file_, line_, "text after a closing quote");
    return fields;
  }

 private:
  bool take(char expected) {
    if (at_end() || text_[place_] != expected) return false;
    if (expected == '\n') ++line_;
    ++place_;
    return true;
  }

  std::string plain() {
    const std::size_t end = std::min(text_.find_first_of(",\r\n", place_), text_.size());
    const std::string field = text_.substr(place_, end - place_);
    place_ = end;
    return field;
  }

  std::string quoted() {
    const std::size_t start = line_;
    std::string field;
    for (++place_; !at_end(); ++place_) {
      if (text_[place_] == '\n') ++line_;
      if (text_[place_] != '"') {
        field += text_[place_];
      } else if (place_ + 1 < text_.size() && text_[place_ + 1] == '"') {
        field += text_[++place_];
      } else {
        ++place_;
        return field;
      }
    }
    fail_at(file_, start, "a quoted field is not closed");
  }

  const std::filesystem::path& file_;
  const std::string& text_;
  std::size_t place_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& file) : file_(file) {
  const std::string text = read_text(file);
  Splitter splitter(file, text);
  if (splitter.at_end()) fail_at(file, 1, "the file is empty; a header line is expected");
  header_ = splitter.record();
  while (!splitter.at_end()) {
    lines_.push_back(splitter.line());
    rows_.push_back(splitter.record());
    if (rows_.back().size() != header_.size()) {
      fail_at(file, lines_.back(),
              "the header names " + std::to_string(header_.size()) + " fields, this row has " +
                  std::to_string(rows_.back().size()));
    }
  }
}

bool CsvFile::has(const std::string& column) const {
  return std::find(header_.begin(), header_.end(), column) != header_.end();
}

const std::string& CsvFile::field(std::size_t row, const std::string& column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) fail_at(file_, 1, "the column " + column + " is missing");
  return rows_.at(row).at(static_cast<std::size_t>(found - header_.begin()));
}

void CsvFile::fail(std::size_t row, const std::string& what) const {
  fail_at(file_, lines_.at(row), what);
}

}  // namespace roofline::llm
