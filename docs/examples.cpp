// SPDX-License-Identifier: MIT
// What the pages show of the project itself: checks it, or fills it in.
//
// In Markdown:   <!--output: roofline machines a10-->
//                ```text
//                ... what the command prints, both streams ...
//                ```
// A command runs in the project's folder with the built programs first on PATH.
//
//                <!--code: tests/gpu/hello.cu saxpy-->
//                ```cpp
//                ... the lines between two lines "//! [saxpy]" of that file ...
//                ```
// No other C++ may stand in a page: it would be code that nobody compiles.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/measurement.hpp"
#include "roofline/text_file.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOutputMark = "<!--output: ";
constexpr std::string_view kCodeMark = "<!--code: ";
constexpr std::string_view kMarkEnd = "-->";
constexpr std::string_view kTextFence = "```text";
constexpr std::string_view kCodeFence = "```cpp";
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

/// The lines of a file between two lines "//! [NAME]", moved left. `source` is "FILE NAME".
/// @throws std::runtime_error when there are none.
std::string code_of(const std::string& source) {
  const auto space = source.find(' ');
  if (space == std::string::npos) throw std::runtime_error("'" + source + "' is no FILE NAME");
  const std::string mark = "//! [" + source.substr(space + 1) + "]";
  std::istringstream in(roofline::read_text_file(source.substr(0, space)));
  std::string code;
  std::size_t indent = std::string::npos;
  for (std::string line; std::getline(in, line);) {
    const auto begin = line.find_first_not_of(' ');
    const bool is_mark = begin != std::string::npos && line.substr(begin) == mark;
    if (is_mark && indent != std::string::npos) return code;
    if (is_mark) {
      indent = begin;
    } else if (indent != std::string::npos) {
      code += line.substr(std::min({indent, begin, line.size()})) + '\n';
    }
  }
  throw std::runtime_error(source.substr(0, space) + ": no code between two lines " + mark);
}

/// Outcome over all files.
struct Tally {
  int examples = 0;
  int wrong = 0;
};

/// What follows a mark, without the mark.
std::string argument(const std::string& line, std::string_view mark) {
  return line.substr(mark.size(), line.size() - mark.size() - kMarkEnd.size());
}

/// The file with every output and every piece of code as it is now.
std::string as_it_is(const fs::path& file, Tally& tally) {
  std::istringstream in(roofline::read_text_file(file));
  std::string result;
  for (std::string line; std::getline(in, line);) {
    result += line + '\n';
    if (line == kCodeFence) {
      throw std::runtime_error(file.string() + ": C++ without a mark that says where it is built");
    }
    const bool is_output = line.starts_with(kOutputMark);
    if ((!is_output && !line.starts_with(kCodeMark)) || !line.ends_with(kMarkEnd)) continue;
    const std::string origin = argument(line, is_output ? kOutputMark : kCodeMark);
    const std::string_view fence = is_output ? kTextFence : kCodeFence;
    std::string shown;
    if (!std::getline(in, line) || line != fence) {
      throw std::runtime_error(file.string() + ": no " + std::string(fence) +
                               " after the mark of " + origin);
    }
    while (std::getline(in, line) && line != "```") shown += line + '\n';
    const std::string is = is_output ? folded(output_of(origin)) : code_of(origin);
    ++tally.examples;
    if (is != shown) {
      ++tally.wrong;
      std::printf("%s: '%s' has changed\n", file.c_str(), origin.c_str());
    }
    result += std::string(fence) + "\n" + is + "```\n";
  }
  return result;
}

/// The pages of the book, and the write-ups.
std::vector<fs::path> pages() {
  std::vector<fs::path> result;
  for (const auto& entry : fs::directory_iterator("docs/pages")) result.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator("topics")) {
    if (fs::exists(entry.path() / "README.md")) result.push_back(entry.path() / "README.md");
  }
  return result;
}

int run(const fs::path& root, const fs::path& bin, bool write) {
  ::setenv("PATH", (fs::absolute(bin).string() + ":" + std::getenv("PATH")).c_str(), 1);
  ::setenv("LC_ALL", "C.UTF-8", 1);
  ::setenv("COLUMNS", "80", 1);
  fs::current_path(root);
  Tally tally;
  for (const fs::path& page : pages()) {
    const std::string before = roofline::read_text_file(page);
    const std::string after = as_it_is(page, tally);
    if (write && after != before) roofline::write_file_atomically(page, after);
  }
  std::printf("%d outputs and pieces of code in the pages, %d %s\n", tally.examples, tally.wrong,
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
