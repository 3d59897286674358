// SPDX-License-Identifier: MIT
// A copy of the test course, and commands run in a terminal.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"
#include "support/terminal.hpp"

namespace cli_test {

using support::read_text;
using support::Terminal;
using support::write_text;

/// A checkout of the test course in its own folder, with the programs of the real build tree.
class CourseCopy {
 public:
  CourseCopy();

  std::filesystem::path root() const { return folder_.path / "course"; }
  std::filesystem::path build() const { return folder_.path / "build"; }
  std::filesystem::path file(const std::string& name) const {
    return root() / "topics" / "90-course" / name;
  }
  /// Command line of `lab ARGUMENTS...` in this checkout.
  std::vector<std::string> lab(std::vector<std::string> arguments) const;
  /// Writes an answer like many editors: a new file that replaces the old one.
  void answer(const std::string& id, const std::string& value) const;

 private:
  support::TemporaryFolder folder_;
};

/// Runs a command to its end in a terminal. Fails the test when a line is wider than that.
struct Ran {
  int status = 0;
  std::string shown;
};
Ran run(const std::vector<std::string>& command, unsigned short columns = 80);

}  // namespace cli_test
