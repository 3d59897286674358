// SPDX-License-Identifier: MIT
// Writes page numbers into the contents list of the printed book:
//   page_numbers PDF PRINTED NUMBERED
// reads where the sections of the page PRINTED stand in its PDF, and writes the page with these
// numbers to NUMBERED. Given the same file twice it checks that the numbers in it are those of the
// PDF, as they must be after printing it again.
#include <cstdio>
#include <exception>
#include <regex>
#include <stdexcept>
#include <string>

#include "base/files.hpp"
#include "print/pdf_pages.hpp"

namespace {

void run(const std::string& pdf, const std::string& printed, const std::string& numbered) {
  static const std::regex kEntry(
      R"rx((<a href="#([^"]+)"><span>[^<]*</span><span class="rl-page-of">)(\d*)</span>)rx");
  const std::map<std::string, int> pages = docs::pages_of_destinations(base::read_file(pdf));
  const std::string html = base::read_file(printed);
  std::string result;
  auto rest = html.cbegin();
  for (std::sregex_iterator it(html.begin(), html.end(), kEntry), end; it != end; ++it) {
    const auto found = pages.find((*it)[2]);
    if (found == pages.end()) throw std::runtime_error("the PDF lacks " + (*it)[2].str());
    result.append(rest, (*it)[0].first);
    result += (*it)[1].str() + std::to_string(found->second) + "</span>";
    rest = (*it)[0].second;
  }
  if (rest == html.cbegin()) throw std::runtime_error(printed + " has no contents list");
  result.append(rest, html.cend());
  if (printed != numbered) return base::write_file_atomically(numbered, result);
  if (result != html) throw std::runtime_error("the numbers changed the pages");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: page_numbers PDF PRINTED NUMBERED\n", stderr);
    return 2;
  }
  try {
    run(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "page_numbers: %s\n", error.what());
    return 1;
  }
}
