// SPDX-License-Identifier: MIT
// Help texts of programs that use CLI11, wrapped to the width of a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "base/terminal.hpp"
#include "base/text.hpp"

namespace base {

/// CLI11's layout, with long lines wrapped; CLI11 itself breaks only where a description does.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const std::size_t column = get_column_width();
    std::string fitted;
    for (const std::string& line : lines_of(CLI::Formatter::make_help(app, name, mode))) {
      // Never wrap the usage line: the program's path may contain blanks.
      if (line.size() <= kMostColumns || line.starts_with("Usage: ")) {
        fitted += line + "\n";
      } else if (line[0] == ' ' && line[column - 1] == ' ') {
        // Continue the description in its own column.
        fitted += wrap(line.substr(column), kMostColumns, line.substr(0, column),
                       std::string(column, ' '));
      } else if (line[0] == ' ') {
        // A list of values without blanks: let it break after commas.
        fitted +=
            wrap(CLI::detail::find_and_replace(line, ",", ", "), kMostColumns, "  ", "      ");
      } else {
        fitted += wrap(line, kMostColumns);
      }
    }
    return fitted;
  }
};

/// Wraps the help of `app` and of subcommands that are added later.
inline void fit_help(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
}

}  // namespace base
