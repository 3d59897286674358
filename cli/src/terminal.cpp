// SPDX-License-Identifier: MIT
// Line breaking and emphasis.
#include "terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "grader/report.hpp"

namespace cli {

std::size_t columns() {
  return grader::terminal_columns();
}

std::string chart_columns() {
  constexpr std::size_t kFewest = 40;
  return std::to_string(std::max(kFewest, columns()));
}

std::string wrap(std::string_view text, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::istringstream words{std::string(text)};
  const std::size_t width = columns();
  std::string result;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) {
      result += margin + line + "\n";
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) result += margin + line + "\n";
  return result;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  return std::string(text.substr(0, width - 3)) + "...";
}

bool colour_wanted() {
  return ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

std::string bold(std::string_view text) {
  if (!colour_wanted()) return std::string(text);
  return "\033[1m" + std::string(text) + "\033[0m";
}

}  // namespace cli
