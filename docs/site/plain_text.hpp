// SPDX-License-Identifier: MIT
// HTML as the text of a search result.
#pragma once

#include <string>
#include <string_view>

namespace docs {

/// A formula as it would be read in a line of text: "T = max(C/\u03c0, M/\u03b2)", without TeX.
std::string plain_formula(std::string tex);

/// The text of a piece of HTML: no tags, entities as characters, single spaces, formulas (between
/// \\( and
/// \\) or \\[ and \\]) in plain text; cells of a table are separated by dots, its rows by
/// semicolons.
std::string plain_text(std::string_view html);

}  // namespace docs
