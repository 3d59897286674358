// SPDX-License-Identifier: MIT
// The outputs of commands that the pages show: runs each command, and checks or fills in the text.
//
// In Markdown:   <!--output: roofline machines a10-->
//                ```text
//                ... what the command prints, both streams ...
//                ```
// A command runs in the project's folder with the built programs first on PATH.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "roofline/measurement.hpp"
#include "roofline/text_file.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "<!--output: ";
constexpr std::string_view kMarkEnd = "-->";
constexpr std::size_t kColumns = 100;

/// What a command prints. @throws std::runtime_error when it fails.
std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start a shell");
  std::string text;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    text.append(buffer, got);
  }
  const int status = ::pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
    throw std::runtime_error("'" + command + "' failed:\n" + text);
  }
  return text;
}

/// Help texts are wider than a page: long lines are broken at spaces and indented.
std::string folded(const std::string& text) {
  std::istringstream in(text);
  std::string result;
  for (std::string line; std::getline(in, line);) {
    const auto indent = std::string(30, ' ');
    while (line.size() > kColumns) {
      const auto space = line.rfind(' ', kColumns);
      if (space == std::string::npos || space <= indent.size()) break;
      result += line.substr(0, space) + '\n';
      line = indent + line.substr(space + 1);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    result += line + '\n';
  }
  while (result.ends_with("\n\n")) result.pop_back();
  return result;
}

/// Outcome over all files.
struct Tally {
  int examples = 0;
  int wrong = 0;
};

/// The file with every output as it is now.
std::string with_outputs(const fs::path& file, Tally& tally) {
  std::istringstream in(roofline::read_text_file(file));
  std::string result;
  for (std::string line; std::getline(in, line);) {
    result += line + '\n';
    if (!line.starts_with(kMark) || !line.ends_with(kMarkEnd)) continue;
    const std::string command =
        line.substr(kMark.size(), line.size() - kMark.size() - kMarkEnd.size());
    std::string shown;
    if (!std::getline(in, line) || line != "```text") {
      throw std::runtime_error(file.string() + ": no ```text after the output mark of " + command);
    }
    while (std::getline(in, line) && line != "```") shown += line + '\n';
    const std::string is = folded(output_of(command));
    ++tally.examples;
    if (is != shown) {
      ++tally.wrong;
      std::printf("%s: the output of '%s' has changed\n", file.c_str(), command.c_str());
    }
    result += "```text\n" + is + "```\n";
  }
  return result;
}

int run(const fs::path& root, const fs::path& bin, bool write) {
  ::setenv("PATH", (fs::absolute(bin).string() + ":" + std::getenv("PATH")).c_str(), 1);
  ::setenv("LC_ALL", "C.UTF-8", 1);
  ::setenv("COLUMNS", "80", 1);
  fs::current_path(root);
  Tally tally;
  for (const auto& entry : fs::directory_iterator("docs/pages")) {
    const std::string before = roofline::read_text_file(entry.path());
    const std::string after = with_outputs(entry.path(), tally);
    if (write && after != before) roofline::write_file_atomically(entry.path(), after);
  }
  std::printf("%d outputs in the pages, %d %s\n", tally.examples, tally.wrong,
              write ? "corrected" : "wrong");
  if (tally.examples == 0) throw std::runtime_error("no output was found: is this the project?");
  return tally.wrong == 0 || write ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 4 ? argv[3] : "";
  if (mode != "--check" && mode != "--write") {
    std::fputs("usage: doc_examples PROJECT_ROOT BIN_FOLDER --check|--write\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], argv[2], mode == "--write");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "doc_examples: %s\n", error.what());
    return 1;
  }
}
