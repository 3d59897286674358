// SPDX-License-Identifier: MIT
// Finds exponents, units and columns of numbers.
#include "typography.hpp"

#include <algorithm>
#include <regex>
#include <utility>

namespace docs {
namespace {

const std::string kUnits =
    "(?:%|(?:(?:[numkKMGTP]|\u00b5)i?)?(?:FLOPs?|OPs?|bits?|bytes?|tok|B|Hz|s|J|W)(?![A-Za-z]))";

/// "4096 x 4096" and "2 x 3 x 4" on one line; a longer product may break, or it would not fit on a
/// phone.
std::string whole_sizes(const std::string& words) {
  static const std::regex kProduct(R"(\d[\d.,]*(?: x \d[\d.,]*)+)"), kTimes(" x ");
  constexpr std::ptrdiff_t kMostFactors = 3;
  std::string result;
  auto rest = words.cbegin();
  for (std::sregex_iterator it(words.begin(), words.end(), kProduct), end; it != end; ++it) {
    const std::string product = (*it)[0];
    const auto factors =
        1 + std::distance(std::sregex_iterator(product.begin(), product.end(), kTimes), end);
    result.append(rest, (*it)[0].first);
    result +=
        factors > kMostFactors ? product : std::regex_replace(product, kTimes, "\u00a0x\u00a0");
    rest = (*it)[0].second;
  }
  return result.append(rest, words.cend());
}

/// The non-breaking space is written as a character, not an entity, which Doxygen would show
/// literally inside quotation marks.
std::string typeset(const std::string& words) {
  static const std::regex kExponent(R"(([A-Za-z0-9)])\^(?:(-?[A-Za-z0-9]+)|\(([^()]+)\)))");
  static const std::regex kUnit("(\\d) " + ("(" + kUnits + ")"));
  const std::string result = std::regex_replace(words, kExponent, "$1<sup>$2$3</sup>");
  return whole_sizes(std::regex_replace(result, kUnit, "$1\u00a0$2"));
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

void join_amounts(std::vector<std::string>& lines) {
  static const std::regex kEnd(R"(.*\d(?:<!--/v-->)?( x)?)");
  static const std::regex kUnit(kUnits + ".*"), kTimes("x (?:<!--v:[^>]*-->)?\\d.*");
  static const std::regex kFactor("(?:<!--v:[^>]*-->)?\\d.*");
  bool is_code = false;
  for (std::size_t at = 0; at + 1 < lines.size(); ++at) {
    if (lines[at].starts_with("```")) is_code = !is_code;
    std::smatch end;
    if (is_code || lines[at].starts_with("    ") || !std::regex_match(lines[at], end, kEnd))
      continue;
    std::string& next = lines[at + 1];
    const bool belongs = end[1].matched
                             ? std::regex_match(next, kFactor)
                             : std::regex_match(next, kUnit) || std::regex_match(next, kTimes);
    if (!belongs) continue;
    const std::size_t word = std::min(next.find(' '), next.size());
    lines[at] += " " + next.substr(0, word);
    next.erase(0, word + 1);
    if (next.empty()) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    --at;  // "4" and "x 4 B": one word after the other
  }
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
