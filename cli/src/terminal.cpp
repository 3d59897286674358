// SPDX-License-Identifier: MIT
// Line wrapping and bold text.
#include "terminal.hpp"

#include <algorithm>

#include "base/terminal.hpp"
#include "base/text.hpp"

namespace cli {

std::string chart_columns() {
  constexpr std::size_t kFewest = 40;
  return std::to_string(std::max(kFewest, base::terminal_columns()));
}

std::string wrap(std::string_view text, std::size_t indent) {
  return base::wrap(text, base::terminal_columns(), std::string(indent, ' '));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  return std::string(text.substr(0, width - 3)) + "...";
}

std::string bold(std::string_view text) {
  return base::colour_wanted() ? base::painted(text, base::Paint::kBold) : std::string(text);
}

}  // namespace cli
