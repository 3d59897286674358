// SPDX-License-Identifier: MIT
// What the term's HTML pages share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace term {

/// A self-contained page, readable on a phone, in the dark and in print.
std::string page(std::string_view title, std::string_view body);

/// A list of sentences.
std::string list(const std::vector<std::string>& lines);

/// A horizontal bar of `share` (0 to 1) of its cell's width, with its percentage.
std::string bar(double share);

/// "82.5 %".
std::string percent(double share);

}  // namespace term
