// SPDX-License-Identifier: MIT
// The index of the site's search: search_index SITE_FOLDER reads the finished pages and writes
// search_index.js next to them, one entry per section, with its address, headings and text.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "page_html.hpp"

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

/// A formula as it would be read in a line of text: "T = max(C/\u03c0, M/\u03b2)".
std::string plain_formula(std::string tex) {
  static const std::vector<std::pair<std::regex, std::string>> kRules = {
      {std::regex(R"(\\frac\{([^{}]*)\}\{([^{}]*)\})"), "($1)/($2)"},
      {std::regex(R"(\\(?:text|mathrm)\{([^{}]*)\})"), "$1"},
      {std::regex(R"(\\(?:left|right|,|;|!|quad|qquad|limits|big))"), " "},
      {std::regex(R"(\\times)"), "\u00d7"},
      {std::regex(R"(\\cdot)"), "\u00b7"},
      {std::regex(R"(\\leq?\b)"), "\u2264"},
      {std::regex(R"(\\geq?\b)"), "\u2265"},
      {std::regex(R"(\\(?:dots|ldots))"), "..."},
      {std::regex(R"(\\pi)"), "\u03c0"},
      {std::regex(R"(\\beta)"), "\u03b2"},
      {std::regex(R"(\\alpha)"), "\u03b1"},
      {std::regex(R"(\\varepsilon)"), "\u03b5"},
      {std::regex(R"(\\sum)"), "\u03a3"},
      {std::regex(R"(\\([A-Za-z]+))"), "$1"},
      {std::regex(R"([{}\\])"), ""}};
  for (const auto& [what, instead] : kRules) {
    for (std::string before; before != tex;) {  // fractions may be nested
      before = tex;
      tex = std::regex_replace(before, what, instead);
      if (instead.find('$') == std::string::npos) break;
    }
  }
  return std::regex_replace(tex, std::regex(" +"), " ");
}

/// Text in which formulas, between \\( and \\) or \\[ and \\], are made readable.
std::string with_plain_formulas(const std::string& text) {
  static const std::regex kFormula(R"(\\\((.*?)\\\)|\\\[(.*?)\\\])");
  std::string result;
  auto rest = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), kFormula), end; it != end; ++it) {
    result.append(rest, (*it)[0].first);
    result += plain_formula((*it)[1].matched ? (*it)[1] : (*it)[2]);
    rest = (*it)[0].second;
  }
  result.append(rest, text.cend());
  // Tags have become spaces, also between a word and the punctuation after it.
  static const std::regex kBeforeStop(" +([.,;:)])");
  return std::regex_replace(result, kBeforeStop, "$1");
}

/// The text of a piece of HTML: no tags, entities as characters, single spaces.
std::string text_of(std::string_view html) {
  static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&lt;", "<"},        {"&gt;", ">"},   {"&quot;", "\""}, {"&#39;", "'"},  {"&nbsp;", " "},
      {"&#181;", "\u00b5"}, {"&#160;", " "}, {"&amp;", "&"},   {"&#9670;", ""}, {"\u00a0", " "}};
  std::string text;
  for (std::size_t i = 0; i < html.size();) {
    if (html[i] == '<') {
      i = std::min(html.find('>', i), html.size() - 1) + 1;
      if (!text.empty() && text.back() != ' ') text += ' ';
      continue;
    }
    const auto* entity =
        std::find_if(std::begin(kEntities), std::end(kEntities),
                     [&](const auto& one) { return html.substr(i).starts_with(one.first); });
    if (entity != std::end(kEntities)) {
      text += entity->second;
      i += entity->first.size();
      continue;
    }
    const bool is_space = std::isspace(static_cast<unsigned char>(html[i])) != 0;
    if (!is_space) text += html[i];
    if (is_space && !text.empty() && text.back() != ' ') text += ' ';
    ++i;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  text.erase(0, text.find_first_not_of(' '));
  return text;
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
    Heading heading{at, html.find('>', end) + 1, {}, text_of(inside)};
    heading.anchor = docs::between(inside, " id=\"", "\"");
    if (heading.anchor.empty()) heading.anchor = docs::between(inside, "href=\"#", "\"");
    return heading;
  }
  return std::nullopt;
}

/// The sections of a page.
void add_page(const fs::path& file, json& index) {
  docs::PageHtml page = docs::read_page(file);
  const std::string title = text_of(page.title);
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
    const std::string text = with_plain_formulas(
        text_of(std::string_view(contents).substr(section.end, end - section.end)));
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
