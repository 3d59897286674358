// SPDX-License-Identifier: MIT
// Copies the test course; runs a command in a terminal and measures its lines.
#include "course_copy.hpp"

#include <algorithm>
#include <sstream>

#include "support/catch.hpp"

namespace cli_test {

namespace fs = std::filesystem;

CourseCopy::CourseCopy() {
  fs::create_directories(build());
  fs::create_directories(root());
  for (const char* part : {"topics", "solutions"}) {
    fs::copy(fs::path(RL_TEST_COURSE) / part, root() / part, fs::copy_options::recursive);
  }
  fs::create_directory_symlink(fs::path(RL_BUILD) / "bin", build() / "bin");
}

std::vector<std::string> CourseCopy::lab(std::vector<std::string> arguments) const {
  std::vector<std::string> command = {RL_LAB, "--root", root().string(), "--build",
                                      build().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

void CourseCopy::answer(const std::string& id, const std::string& value) const {
  std::istringstream in(read_text(file("answers.toml")));
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("[")) inside = line == "[\"" + id + "\"]";
    text += inside && line.starts_with("value") ? "value = \"" + value + "\"\n" : line + "\n";
  }
  write_text(file("answers.toml.new"), text);
  fs::rename(file("answers.toml.new"), file("answers.toml"));
}

Ran run(const std::vector<std::string>& command, unsigned short columns) {
  Terminal terminal(command, columns);
  const int status = terminal.wait();
  std::istringstream lines(terminal.shown());
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    // Count characters: bytes that begin one.
    const auto wide = std::count_if(line.begin(), line.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    });
    CHECK(wide <= columns);
  }
  return {status, terminal.shown()};
}

}  // namespace cli_test
