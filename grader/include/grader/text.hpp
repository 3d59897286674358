// SPDX-License-Identifier: MIT
// Names and texts from outside: whether they are UTF-8, and how they are ordered.
#pragma once

#include <string>
#include <string_view>

namespace grader {

/// True for well-formed UTF-8.
bool is_utf8(std::string_view text);
/// The text; where it is not UTF-8, with every byte beyond ASCII as %XX.
std::string utf8_or_escaped(const std::string& text);
/// UTF-8 without the mark that some editors put before it.
std::string_view without_byte_order_mark(std::string_view text);
/// Alphabetical order in which "try 10" comes after "try 9".
bool natural_less(std::string_view a, std::string_view b);

}  // namespace grader
