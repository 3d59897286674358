// SPDX-License-Identifier: MIT
// Compares the contents list of the book's PDF with the headings' pages: book-pages PDF NUMBERED,
// where NUMBERED is the page that was printed. The list was numbered from the destinations of its
// links; this reads the PDF's bookmarks instead, which Chromium makes from the headings.
#include <cstdio>
#include <exception>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "base/files.hpp"
#include "plain_text.hpp"

namespace {

constexpr int kFewestEntries = 100;

/// What is compared of a title: no blanks, because a bookmark has none where its heading's line
/// breaks, and only ASCII.
std::string essence(const std::string& title) {
  std::string result;
  for (const char c : title) {
    if (c > ' ' && c <= '~') result += c;
  }
  return result;
}

/// A PDF's string: (text), in which a backslash precedes brackets, or <FEFF and UTF-16 in hex>.
std::string text_of(const std::string& string) {
  if (string.front() == '(')
    return std::regex_replace(string, std::regex(R"(^\(|\\(?=.)|\)$)"), "");
  constexpr std::size_t kDigits = 4;
  std::string result;
  for (std::size_t at = 1 + kDigits; at + kDigits < string.size(); at += kDigits) {
    const int code = std::stoi(string.substr(at, kDigits), nullptr, 16);
    if (code <= '~') result += static_cast<char>(code);
  }
  return result;
}

/// Pages, counted from 1, of the headings with a title. Chromium writes pages in order.
std::map<std::string, std::set<int>> pages_of_bookmarks(const std::string& pdf) {
  static const std::regex kPage(R"((\d+) 0 obj\n<</Type /Page\n)");
  static const std::regex kBookmark(R"(/Title ([(<][^\n]*)\n/Dest \[(\d+) 0 R)");
  std::map<std::string, int> number;
  for (std::sregex_iterator it(pdf.begin(), pdf.end(), kPage), end; it != end; ++it) {
    number.emplace((*it)[1], static_cast<int>(number.size()) + 1);
  }
  std::map<std::string, std::set<int>> pages;
  for (std::sregex_iterator it(pdf.begin(), pdf.end(), kBookmark), end; it != end; ++it) {
    pages[essence(text_of((*it)[1]))].insert(number.at((*it)[2]));
  }
  return pages;
}

int run(const std::string& pdf, const std::string& numbered) {
  static const std::regex kEntry(
      R"rx(<a href="#[^"]+"><span>([^<]*)</span><span class="rl-page-of">(\d*)</span>)rx");
  const auto pages = pages_of_bookmarks(base::read_file(pdf));
  const std::string html = base::read_file(numbered);
  int looked = 0, bad = 0;
  for (std::sregex_iterator it(html.begin(), html.end(), kEntry), end; it != end; ++it) {
    ++looked;
    const auto found = pages.find(essence(docs::plain_text((*it)[1].str())));
    const std::string page = (*it)[2];
    if (found != pages.end() && !page.empty() && found->second.contains(std::stoi(page))) continue;
    ++bad;
    std::printf("%s is not on page '%s'\n", (*it)[1].str().c_str(), page.c_str());
  }
  std::printf("%d entries of the contents list, %d complaints\n", looked, bad);
  return bad == 0 && looked >= kFewestEntries ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: book-pages PDF NUMBERED\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "book-pages: %s\n", error.what());
    return 1;
  }
}
