// SPDX-License-Identifier: MIT
// Cuts pieces out of pages as Doxygen writes them.
#include "page_html.hpp"

#include "base/files.hpp"

namespace docs {

std::string_view between(std::string_view html, std::string_view opening,
                         std::string_view closing) {
  const auto begin = html.find(opening);
  if (begin == std::string_view::npos) return {};
  const auto inside = html.substr(begin + opening.size());
  return inside.substr(0, inside.find(closing));
}

void take_out(std::string& html, std::string_view opening, std::string_view closing) {
  for (auto begin = html.find(opening); begin != std::string::npos;
       begin = html.find(opening, begin)) {
    const auto end = html.find(closing, begin);
    html.erase(begin, end == std::string::npos ? end : end + closing.size() - begin);
  }
}

namespace {

/// The inside of the first element <div class="contents">.
std::string_view contents_of(std::string_view page) {
  constexpr std::string_view kBegin = "<div class=\"contents\">", kOpen = "<div", kClose = "</div>";
  const auto begin = page.find(kBegin);
  if (begin == std::string_view::npos) return {};
  const std::string_view inside = page.substr(begin + kBegin.size());
  std::size_t open = 1;
  for (auto at = inside.find('<'); at != std::string_view::npos; at = inside.find('<', at + 1)) {
    const std::string_view tag = inside.substr(at);
    if (tag.starts_with(kOpen)) ++open;
    if (tag.starts_with(kClose) && --open == 0) return inside.substr(0, at);
  }
  return inside;
}

}  // namespace

PageHtml read_page(const std::filesystem::path& file) {
  const std::string page = base::read_file(file);
  return {std::string(between(page, "<div class=\"title\">", "</div>")),
          std::string(contents_of(page))};
}

}  // namespace docs
