// SPDX-License-Identifier: MIT
// Sentences on standard output.
#pragma once

#include <string>

namespace roofline::program {

/// Prints `label` and `text` to standard output in lines of at most 80 columns, broken at spaces;
/// lines after the first are indented two columns further than the label.
void print_paragraph(const std::string& label, const std::string& text);

/// The same without a label, indented by two columns.
void print_paragraph(const std::string& text);

}  // namespace roofline::program
