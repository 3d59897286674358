// SPDX-License-Identifier: MIT
// Sentences on standard output.
#pragma once

#include <string>

namespace roofline::program {

/// `label` and `text` on standard output in lines of at most 80 columns, broken at spaces; the
/// lines after the first are indented by two more than the label is.
void print_paragraph(const std::string& label, const std::string& text);

/// The same without a label, indented by two columns.
void print_paragraph(const std::string& text);

}  // namespace roofline::program
