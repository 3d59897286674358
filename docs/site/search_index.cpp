// SPDX-License-Identifier: MIT
// The index of the site's search: search_index SITE_FOLDER reads the finished pages and writes
// search_index.js next to them, one entry per section, with its address, headings and text.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "page_html.hpp"
#include "plain_text.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Lists of names whose target pages are in the index themselves.
bool is_directory_of_names(const std::string& name) {
  for (const char* prefix : {"functions", "globals", "namespacemembers", "classes", "annotated",
                             "files", "hierarchy", "dir_", "pages", "namespaces"}) {
    if (name.starts_with(prefix)) return true;
  }
  return name.ends_with("-members.html") || name.ends_with("_source.html");
}

/// The first heading (h1 to h4) at or after `from`.
struct Heading {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string anchor;
  std::string text;
};
std::optional<Heading> next_heading(std::string_view html, std::size_t from) {
  for (auto at = html.find("<h", from); at != std::string_view::npos;
       at = html.find("<h", at + 1)) {
    if (at + 2 >= html.size() || html[at + 2] < '1' || html[at + 2] > '4') continue;
    const auto end = html.find("</h", at);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = html.substr(at, end - at);
    Heading heading{at, html.find('>', end) + 1, {}, docs::plain_text(inside)};
    heading.anchor = docs::between(inside, " id=\"", "\"");
    if (heading.anchor.empty()) heading.anchor = docs::between(inside, "href=\"#", "\"");
    return heading;
  }
  return std::nullopt;
}

/// The sections of a page.
void add_page(const fs::path& file, json& index) {
  docs::PageHtml page = docs::read_page(file);
  const std::string title = docs::plain_text(page.title);
  std::string& contents = page.contents;
  if (title.empty() || contents.empty()) return;
  docs::take_out(contents, "<script", "</script>");
  docs::take_out(contents, "<div class=\"toc\">", "</div>");
  docs::take_out(contents, "<nav", "</nav>");
  docs::take_out(contents, "<form", "</form>");
  docs::take_out(contents, "<section", "</section>");
  // A search result must not reveal a folded answer; its question may appear.
  docs::take_out(contents, "</summary>", "</details>");

  Heading section;  // the text before the first heading
  for (;;) {
    const std::optional<Heading> next = next_heading(contents, section.end);
    const std::size_t end = next ? next->begin : contents.size();
    const std::string text =
        docs::plain_text(std::string_view(contents).substr(section.end, end - section.end));
    if (!text.empty() || !section.text.empty()) {
      const std::string anchor = section.anchor.empty() ? "" : "#" + section.anchor;
      index.push_back({file.filename().string() + anchor, title, section.text, text});
    }
    if (!next) return;
    section = *next;
  }
}

int run(const fs::path& site) {
  std::vector<fs::path> pages;
  for (const auto& entry : fs::directory_iterator(site)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".html" && !is_directory_of_names(name)) {
      pages.push_back(entry.path());
    }
  }
  std::sort(pages.begin(), pages.end());
  json index = json::array();
  for (const fs::path& page : pages) add_page(page, index);
  if (index.empty()) throw std::runtime_error(site.string() + " has no pages with text");
  // A script rather than data: pages opened as files may load only scripts.
  base::write_file_atomically(
      site / "search_index.js",
      "window.rlSearchIndex = " + index.dump(-1, ' ', false, json::error_handler_t::replace) +
          ";\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: search_index SITE_FOLDER\n", stderr);
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "search_index: %s\n", error.what());
    return 1;
  }
}
