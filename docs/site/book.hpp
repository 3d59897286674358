// SPDX-License-Identifier: MIT
// The order of the book: which Markdown file becomes which page.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace docs {

/// A page of the docs site.
struct Page {
  std::filesystem::path file;  ///< relative to the project's root
  std::string id;              ///< Doxygen's page id; the page is ID.html, the first index.html
  std::string title;           ///< from its first heading, without numbers in braces
};

/// All pages in reading order: start, topics by number, tools, guides, records. A missing file is
/// left out; any other Markdown file of docs/pages comes at the end.
std::vector<Page> book(const std::filesystem::path& root);

/// The page of a file (relative to root); empty if it is not in the book.
std::optional<Page> page_of(const std::vector<Page>& pages, const std::filesystem::path& file);

/// Address of a page within the site.
std::string address(const Page& page);

}  // namespace docs
