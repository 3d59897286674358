// SPDX-License-Identifier: MIT
// A copy of the test course, and a terminal in which its commands run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/terminal.hpp"

namespace cli_test {

using support::Terminal;

/// A checkout of the test course in a folder of its own, with the programs of the real build tree.
class CourseCopy {
 public:
  CourseCopy();
  CourseCopy(const CourseCopy&) = delete;
  CourseCopy& operator=(const CourseCopy&) = delete;
  ~CourseCopy();

  std::filesystem::path root() const { return folder_ / "course"; }
  std::filesystem::path build() const { return folder_ / "build"; }
  std::filesystem::path file(const std::string& name) const {
    return root() / "topics" / "90-course" / name;
  }
  /// Command line of `lab ARGUMENTS...` in this checkout.
  std::vector<std::string> lab(std::vector<std::string> arguments) const;
  /// Writes an answer the way an editor does: a new file that takes the old one's place.
  void answer(const std::string& id, const std::string& value) const;

 private:
  std::filesystem::path folder_;
};

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

/// Runs a command to its end in a terminal. Fails the test when a line is wider than that.
struct Ran {
  int status = 0;
  std::string shown;
};
Ran run(const std::vector<std::string>& command, unsigned short columns = 80);

}  // namespace cli_test
