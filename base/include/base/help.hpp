// SPDX-License-Identifier: MIT
// The help text of a program that reads its arguments with CLI11, in lines of a terminal's width.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "base/terminal.hpp"
#include "base/text.hpp"

namespace base {

/// CLI11's own layout, in which only line breaks of a description end a line.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const std::size_t column = get_column_width();
    std::string fitted;
    for (const std::string& line : lines_of(CLI::Formatter::make_help(app, name, mode))) {
      // How the program was called may hold blanks.
      if (line.size() <= kMostColumns || line.starts_with("Usage: ")) {
        fitted += line + "\n";
      } else if (line[0] == ' ' && line[column - 1] == ' ') {
        // What stands in the column of descriptions goes on there.
        fitted += wrap(line.substr(column), kMostColumns, line.substr(0, column),
                       std::string(column, ' '));
      } else if (line[0] == ' ') {
        // An option's list of values, which is one word.
        fitted +=
            wrap(CLI::detail::find_and_replace(line, ",", ", "), kMostColumns, "  ", "      ");
      } else {
        fitted += wrap(line, kMostColumns);
      }
    }
    return fitted;
  }
};

/// Of `app` and of the commands that it is given afterwards.
inline void fit_help(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
}

}  // namespace base
