// SPDX-License-Identifier: MIT
// Text for a terminal, at most 80 columns wide.
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// Value of --columns for a chart in this terminal; a chart needs 40.
std::string chart_columns();

/// `text` wrapped at spaces so that no line, including `indent` spaces, is wider than the terminal.
/// Words that are longer than a line stay whole.
std::string wrap(std::string_view text, std::size_t indent = 0);

/// `text`, or its beginning and "..." when it is longer than `width`.
std::string shortened(std::string_view text, std::size_t width);

/// `text`, in bold when base::colour_wanted().
std::string bold(std::string_view text);

}  // namespace cli
