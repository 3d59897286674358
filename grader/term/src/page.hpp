// SPDX-License-Identifier: MIT
// Common parts of the term's HTML pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace term {

/// A self-contained page, readable on a phone, in dark mode and in print.
std::string page(std::string_view title, std::string_view body);

/// A list of sentences.
std::string list(const std::vector<std::string>& lines);

/// A horizontal bar that fills `share` (0 to 1) of its cell, with the percentage.
std::string bar(double share);

/// "82.5 %".
std::string percent(double share);

}  // namespace term
