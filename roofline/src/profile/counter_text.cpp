// SPDX-License-Identifier: MIT
// Numbers as profilers print them.
#include "counter_text.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace roofline {

std::optional<double> parse_counter(std::string_view text) {
  std::string digits;
  // A comma is a thousands separator only if exactly three digits follow.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',') {
      digits += text[i];
      continue;
    }
    const auto group = text.substr(i + 1, 3);
    const bool three = group.size() == 3 && group.find_first_not_of("0123456789") == group.npos;
    const bool ends = i + 4 >= text.size() || text[i + 4] == ',' || text[i + 4] == '.';
    if (!three || !ends || i == 0 || digits.find('.') != digits.npos) return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace roofline
