// SPDX-License-Identifier: MIT
// Finds exponents, units and columns of numbers.
#include "typography.hpp"

#include <algorithm>
#include <regex>
#include <utility>

namespace docs {
namespace {

/// The non-breaking space is written as a character, not an entity, which Doxygen would show
/// literally inside quotation marks.
std::string typeset(const std::string& words) {
  static const std::regex kExponent(R"(([A-Za-z0-9)])\^(?:(-?[A-Za-z0-9]+)|\(([^()]+)\)))");
  static const std::regex kUnit(
      R"((\d) (%|(?:[numkKMGTP]|µ)?i?(?:FLOPs?|OPs?|bits?|bytes?|tok|B|Hz|s|J|W)(?![A-Za-z])))");
  // "4096 x 4096" and "2 x 3 x 4"; a longer product may break, or it would not fit on a phone.
  static const std::regex kLongProduct(R"(\d[\d.]*(?: x \d[\d.]*){3,})");
  static const std::regex kSizes(R"((\d) x (?=\d))");
  std::string result = std::regex_replace(words, kExponent, "$1<sup>$2$3</sup>");
  result = std::regex_replace(result, kUnit, "$1\u00a0$2");
  if (std::regex_search(result, kLongProduct)) return result;
  return std::regex_replace(result, kSizes, "$1\u00a0x\u00a0");
}

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> result;
  std::string cell;
  bool is_code = false;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '`') is_code = !is_code;
    const bool ends = row[i] == '|' && !is_code && row[i - 1] != '\\';
    if (ends) result.push_back(std::exchange(cell, ""));
    if (!ends) cell += row[i];
  }
  return result;
}

bool is_row(const std::string& line) {
  return line.size() > 1 && line.front() == '|' && line.back() == '|';
}

/// Empty, or a number optionally followed by a unit.
bool is_number(const std::string& cell) {
  static const std::regex kMark("<!--.*?-->|\\*\\*");
  static const std::regex kNumber(
      R"( *([+-]?\d[\d,.]*( ?(%|x|[numkKMGTP]?i?(FLOP|OP|B|tok|s|J|W)[A-Za-z/]*|µs))?)? *)");
  return std::regex_match(std::regex_replace(cell, kMark, ""), kNumber);
}

}  // namespace

std::string with_exponents_and_units(const std::string& line) {
  // Left unchanged: code, formulas as the filter writes them, tags including comments, and
  // addresses.
  static const std::regex kApart(R"(`[^`]*`|\\f\$.*?\\f\$|<[^>]*>|\]\([^)]*\))");
  // In "1.2 FLOPs and bytes" the number is that of a heading, not an amount.
  static const std::regex kHeading(R"(#+ \d+\.\d+ )");
  std::smatch heading;
  const bool is_heading =
      std::regex_search(line, heading, kHeading, std::regex_constants::match_continuous);
  std::string result = is_heading ? heading.str() : "";
  auto rest = is_heading ? heading[0].second : line.cbegin();
  for (std::sregex_iterator it(rest, line.end(), kApart), end; it != end; ++it) {
    result += typeset({rest, (*it)[0].first});
    result += (*it)[0];
    rest = (*it)[0].second;
  }
  return result + typeset({rest, line.cend()});
}

void align_numbers(std::vector<std::string>& lines) {
  static const std::regex kSeparator(R"(\|(?: *:?-+:? *\|)+)");
  for (std::size_t at = 1; at < lines.size(); ++at) {
    if (!is_row(lines[at - 1]) || !std::regex_match(lines[at], kSeparator)) continue;
    std::vector<std::string> alignment = cells(lines[at]);
    std::vector<bool> numeric(alignment.size(), true);
    std::vector<bool> filled(alignment.size(), false);
    for (std::size_t row = at + 1; row < lines.size() && is_row(lines[row]); ++row) {
      const std::vector<std::string> entries = cells(lines[row]);
      for (std::size_t column = 0; column < std::min(entries.size(), numeric.size()); ++column) {
        if (!is_number(entries[column])) numeric[column] = false;
        if (entries[column].find_first_of("0123456789") != std::string::npos) filled[column] = true;
      }
    }
    std::string separator = "|";
    for (std::size_t column = 0; column < alignment.size(); ++column) {
      const bool is_free = alignment[column].find(':') == std::string::npos;
      separator += is_free && numeric[column] && filled[column] ? "---:|" : alignment[column] + "|";
    }
    lines[at] = separator;
  }
}

}  // namespace docs
