// SPDX-License-Identifier: MIT
// What the site does for the eye that Markdown leaves to its reader: exponents, units that stay
// with their numbers, and columns of numbers that stand on the right.
#pragma once

#include <string>
#include <vector>

namespace docs {

/// A line of Markdown with `2^26` as an exponent, and with a space that does not break between a
/// number and its unit. Code, formulas, tags, addresses and the number of a heading stay as they
/// are.
std::string with_exponents_and_units(const std::string& line);

/// Aligns to the right the columns of tables in which every cell is empty or a number, with or
/// without a unit. Columns that say how they are aligned stay.
void align_numbers(std::vector<std::string>& lines);

}  // namespace docs
