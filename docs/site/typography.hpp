// SPDX-License-Identifier: MIT
// The site's typography beyond Markdown: exponents, units kept with their numbers, and
// right-aligned columns of numbers.
#pragma once

#include <string>
#include <vector>

namespace docs {

/// A line of Markdown with `2^26` as an exponent, and with non-breaking spaces between a number and
/// its unit and in sizes such as `4096 x 4096`. Code, formulas, tags, addresses and the number of a
/// heading are left unchanged.
std::string with_exponents_and_units(const std::string& line);

/// Moves a unit or a factor at the start of a line of prose to the line before, if its number is
/// there.
void join_amounts(std::vector<std::string>& lines);

/// Right-aligns the columns of tables in which every cell is empty or a number, with or without a
/// unit. Columns that specify their alignment are left unchanged.
void align_numbers(std::vector<std::string>& lines);

}  // namespace docs
