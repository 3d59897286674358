// SPDX-License-Identifier: MIT
// Line breaking after a label.
#include "paragraph.hpp"

#include <algorithm>
#include <cstdio>

#include "base/terminal.hpp"
#include "base/text.hpp"

namespace roofline::program {

void print_paragraph(const std::string& label, const std::string& text) {
  const std::string indent(std::min(label.find_first_not_of(' '), label.size()) + 2, ' ');
  std::fputs(base::wrap(text, base::kMostColumns, label, indent).c_str(), stdout);
}

void print_paragraph(const std::string& text) {
  print_paragraph("  ", text);
}

}  // namespace roofline::program
