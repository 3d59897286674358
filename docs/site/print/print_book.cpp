// SPDX-License-Identifier: MIT
// The whole book as one page for printing: print_book PROJECT_ROOT SITE_FOLDER writes
// SITE_FOLDER/print.html. Links between pages become links inside it, those to the reference become
// plain text, answers are unfolded.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/html.hpp"
#include "book.hpp"
#include "page_html.hpp"

namespace {

namespace fs = std::filesystem;

/// Replaces the value of every attribute with a given name; an attribute is removed if `change`
/// returns nothing for it.
template <class Change>
void change_attributes(std::string& html, std::string_view name, const Change& change) {
  const std::string opening = " " + std::string(name) + "=\"";
  for (auto at = html.find(opening); at != std::string::npos; at = html.find(opening, at)) {
    const auto begin = at + opening.size();
    const auto end = html.find('"', begin);
    if (end == std::string::npos) return;
    const std::string value = change(html.substr(begin, end - begin));
    const std::string attribute = value.empty() ? "" : opening + value + "\"";
    html.replace(at, end + 1 - at, attribute);
    at += attribute.size();
  }
}

void replace_all(std::string& html, std::string_view what, std::string_view instead) {
  for (auto at = html.find(what); at != std::string::npos; at = html.find(what, at)) {
    html.replace(at, what.size(), instead);
    at += instead.size();
  }
}

/// Makes a table's first row its head, which is repeated at the top of a printed page.
void repeat_heads(std::string& html) {
  constexpr std::string_view kHead = "<tr class=\"markdownTableHead\">", kEnd = "</tr>";
  for (auto at = html.find(kHead); at != std::string::npos; at = html.find(kHead, at)) {
    html.insert(html.find(kEnd, at) + kEnd.size(), "</thead>");
    html.insert(at, "<thead>");
    at += kHead.size();
  }
}

/// Lowers headings, so that a chapter's title is the only first-level one, as a PDF's outline
/// expects.
void lower_headings(std::string& html) {
  for (int level = 3; level >= 1; --level) {
    const std::string before = "h" + std::to_string(level), after = "h" + std::to_string(level + 1);
    replace_all(html, "<" + before + ">", "<" + after + ">");
    replace_all(html, "</" + before + ">", "</" + after + ">");
  }
}

/// An entry of the contents list. Its page's number is known when the book has been printed once
/// (page_numbers.cpp).
std::string entry(const std::string& id, const std::string& title) {
  return "<a href=\"#" + id + "\"><span>" + title + "</span><span class=\"rl-page-of\"></span></a>";
}

/// Links to the sections of a numbered chapter: "4.2 Weights and cache".
std::string sections_of(const std::string& chapter) {
  static const std::regex kSection(
      R"rx(<h2><a class="anchor" id="([^"]+)"></a>\s*(\d+\.\d+ [^<]*)</h2>)rx");
  std::string links;
  for (std::sregex_iterator it(chapter.begin(), chapter.end(), kSection), end; it != end; ++it) {
    links += "<li>" + entry((*it)[1], (*it)[2]) + "</li>\n";
  }
  return links.empty() ? "" : "<ul>\n" + links + "</ul>";
}

/// The address of a page, or of an anchor on it, in the printed book.
std::string place(const std::string& page, const std::string& anchor) {
  return anchor.empty() ? page : page + "--" + anchor;
}

std::string chapter(const docs::Page& page, const fs::path& site,
                    const std::map<std::string, std::string>& ids) {
  docs::PageHtml html = docs::read_page(site / docs::address(page));
  for (const auto& [opening, closing] : std::map<std::string_view, std::string_view>{
           {"<script", "</script>"},
           {"<div class=\"toc\">", "</div>"},
           {"<nav", "</nav>"},
           {"<section class=\"rl-explore\"", "</section>"}}) {
    docs::take_out(html.contents, opening, closing);
  }
  replace_all(html.contents, "<details>", "<details open>");
  repeat_heads(html.contents);
  lower_headings(html.contents);
  change_attributes(html.contents, "id", [&](const std::string& id) { return place(page.id, id); });
  change_attributes(html.contents, "href", [&](const std::string& address) -> std::string {
    if (address.find("://") != std::string::npos) return address;
    const auto hash = address.find('#');
    const std::string file = address.substr(0, hash);
    const std::string anchor = hash == std::string::npos ? "" : address.substr(hash + 1);
    if (file.empty()) return "#" + place(page.id, anchor);
    const auto found = ids.find(file);
    return found == ids.end() ? "" : "#" + place(found->second, anchor);
  });
  return "<section class=\"rl-chapter\" id=\"" + page.id + "\"><h1 class=\"title\">" + html.title +
         "</h1>\n" + html.contents + "</section>\n";
}

void run(const fs::path& root, const fs::path& site) {
  const std::vector<docs::Page> pages = docs::book(root);
  std::map<std::string, std::string> ids;
  for (const docs::Page& page : pages) ids[docs::address(page)] = page.id;
  std::string contents;
  std::string chapters;
  for (const docs::Page& page : pages) {
    const std::string html = chapter(page, site, ids);
    contents +=
        "<li>" + entry(page.id, base::html_escaped(page.title)) + sections_of(html) + "</li>\n";
    chapters += html;
  }
  // A page's own head: style sheets, and the usual formulas.
  const std::string first = base::read_file(site / docs::address(pages.front()));
  std::string head(docs::between(first, "<head>", "</head>"));
  docs::take_out(head, "<script type=\"text/javascript\" src=\"navtree", "</script>");
  docs::take_out(head, "<script type=\"text/javascript\" src=\"resize", "</script>");
  docs::take_out(head, "<title>", "</title>");
  base::write_file_atomically(
      site / "print.html",
      "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Roofline Labs</title>" + head +
          "</head><body class=\"rl-print\"><div class=\"contents\"><section class=\"rl-cover\">"
          "<h1>Roofline Labs</h1><ol>\n" +
          contents + "</ol></section>\n" + chapters +
          "</div><script src=\"reader.js\"></script></body></html>\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: print_book PROJECT_ROOT SITE_FOLDER\n", stderr);
    return 2;
  }
  try {
    run(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "print_book: %s\n", error.what());
    return 1;
  }
}
