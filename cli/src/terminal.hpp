// SPDX-License-Identifier: MIT
// Text for a terminal of 80 columns.
#pragma once

#include <string>
#include <string_view>

namespace cli {

inline constexpr std::size_t kColumns = 80;

/// `text` broken at spaces so that no line, after `indent` spaces, is longer than 80 columns.
/// Words that are longer than a line stay whole.
std::string wrap(std::string_view text, std::size_t indent = 0);

/// `text`, or its beginning and "..." when it is longer than `width`.
std::string shortened(std::string_view text, std::size_t width);

/// True when standard output is a terminal and NO_COLOR is not set.
bool colour_wanted();

/// `text` in bold when colour_wanted(), as it is otherwise.
std::string bold(std::string_view text);

}  // namespace cli
