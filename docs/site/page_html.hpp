// SPDX-License-Identifier: MIT
// Pieces of the site's finished pages.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace docs {

/// The text between the first `opening` and the next `closing`; empty if there is none.
std::string_view between(std::string_view html, std::string_view opening, std::string_view closing);

/// Removes everything from each `opening` to the next `closing`.
void take_out(std::string& html, std::string_view opening, std::string_view closing);

/// A page's title and its contents, as HTML; empty if the file has none.
struct PageHtml {
  std::string title;
  std::string contents;
};

/// @throws std::runtime_error naming a file that cannot be read.
PageHtml read_page(const std::filesystem::path& file);

}  // namespace docs
