// SPDX-License-Identifier: MIT
// Checks what the pages show of the project itself, or fills it in.
//
// In Markdown:   <!--output: roofline machines a10-->
//                ```text
//                $ roofline machines a10
//                ... what the command prints, both streams ...
//                ```
// The commands of a page run one after the other in a separate checkout (example_course.hpp) with
// the
// built programs first on PATH. What differs from run to run is [...] in the page.
//
//                <!--before: echo a-secret > secret.txt-->
// A command that is run but not shown.
//
//                <!--session: ./lab watch 01.add.ai => cp mine.toml answers.toml => [h] => [q]-->
// A command that waits for saved files and keys, driven in a terminal (session.hpp).
//
//                <!--recorded: data/measured/roofline_measure_quick.txt-->
// The output of a command on one machine: a file whose first lines, "# key: value", name the
// command
// and the machine. A test of that command compares the file with its current output.
//
//                <!--code: tests/gpu/hello.cu saxpy-->
//                ```cpp
//                ... the lines between two lines "//! [saxpy]" of that file ...
//                ```
// A page must contain no other C++, because nothing would compile it. The page of a program must
// explain all its commands and options (options.hpp).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "example_course.hpp"
#include "options.hpp"
#include "session.hpp"
#include "shown.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOutputMark = "<!--output: ";
constexpr std::string_view kBeforeMark = "<!--before: ";
constexpr std::string_view kSessionMark = "<!--session: ";
constexpr std::string_view kRecordedMark = "<!--recorded: ";
constexpr std::string_view kCodeMark = "<!--code: ";
constexpr std::string_view kMarkEnd = "-->";
constexpr std::string_view kTextFence = "```text";
constexpr std::string_view kCodeFence = "```cpp";
/// The end of the line in which a command waits for a key.
const std::string kKeyPrompt = "[q]uit";

/// The lines of a file between two lines "//! [NAME]", with their indentation removed. `source` is
/// "FILE NAME". @throws std::runtime_error if there are none.
std::string code_of(const std::string& source) {
  const auto space = source.find(' ');
  if (space == std::string::npos) throw std::runtime_error("'" + source + "' is no FILE NAME");
  const std::string mark = "//! [" + source.substr(space + 1) + "]";
  std::istringstream in(base::read_file(source.substr(0, space)));
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

/// The block of a recorded output: the command named in its header, and its output. @throws
/// std::runtime_error if the header names none.
std::string recorded_block(const std::string& file) {
  constexpr std::string_view kCommandKey = "# command: ";
  std::istringstream in(base::read_file(file));
  std::string command;
  std::string output;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(kCommandKey)) command = line.substr(kCommandKey.size());
    if (!line.starts_with("# ")) output += line + '\n';
  }
  if (command.empty()) throw std::runtime_error(file + ": no line '# command: ...'");
  return docs::block_of(command, output);
}

/// Totals over all files.
struct Tally {
  int examples = 0;
  int wrong = 0;
  bool shows_changes = false;
};

/// The text after a mark.
std::string argument(const std::string& line, std::string_view mark) {
  return line.substr(mark.size(), line.size() - mark.size() - kMarkEnd.size());
}

/// One page, processed from top to bottom.
class Page {
 public:
  Page(const fs::path& root, const fs::path& bin, fs::path file, Tally& tally)
      : root_(&root), bin_(&bin), file_(std::move(file)), tally_(&tally) {}

  /// The text with the current version of every output and piece of code.
  std::string as_it_is() {
    std::istringstream in(base::read_file(*root_ / file_));
    std::string result;
    for (std::string line; std::getline(in, line);) {
      result += line + '\n';
      if (line == kCodeFence) {
        throw std::runtime_error(file_.string() +
                                 ": C++ without a mark that says where it is built");
      }
      if (!line.ends_with(kMarkEnd)) continue;
      if (line.starts_with(kBeforeMark)) {
        in_course([&] { docs::prepare(argument(line, kBeforeMark)); });
      }
      if (line.starts_with(kOutputMark)) {
        const std::string command = argument(line, kOutputMark);
        result += block(in, command, kTextFence, docs::block_of(command, output(command)));
      }
      if (line.starts_with(kSessionMark)) {
        const std::string session = argument(line, kSessionMark);
        const std::string command = docs::command_of_session(session);
        result += block(in, command, kTextFence, docs::block_of(command, shown_by(session)));
      }
      if (line.starts_with(kRecordedMark)) {
        const std::string file = argument(line, kRecordedMark);
        result += block(in, file, kTextFence, recorded_block(file));
      }
      if (line.starts_with(kCodeMark)) {
        const std::string source = argument(line, kCodeMark);
        result += block(in, source, kCodeFence, code_of(source));
      }
    }
    return result;
  }

 private:
  /// The block after a mark, which should show `is`.
  std::string block(std::istream& in, const std::string& origin, std::string_view fence,
                    const std::string& is) {
    std::string line;
    if (!std::getline(in, line) || line != fence) {
      throw std::runtime_error(file_.string() + ": no " + std::string(fence) +
                               " after the mark of " + origin);
    }
    std::string shown;
    while (std::getline(in, line) && line != "```") shown += line + '\n';
    ++tally_->examples;
    const bool same = fence == kTextFence ? docs::is_same(shown, is) : shown == is;
    if (!same) {
      ++tally_->wrong;
      std::printf("%s: '%s' has changed", file_.c_str(), origin.c_str());
      if (tally_->shows_changes) std::printf("; it is now:\n%s", is.c_str());
      std::printf("\n");
    }
    if (same) return std::string(fence) + "\n" + shown + "```\n";
    return std::string(fence) + "\n" + (fence == kTextFence ? docs::with_left_out(shown, is) : is) +
           "```\n";
  }

  /// What a command prints in this page's checkout.
  std::string output(const std::string& command) {
    std::string text;
    in_course([&] { text = docs::output_of(command); });
    return course_->without_paths(text);
  }

  /// What a terminal shows when a command is driven in this page's checkout.
  std::string shown_by(const std::string& session) {
    std::string text;
    in_course([&] { text = docs::output_of_session(session, kKeyPrompt); });
    return course_->without_paths(text);
  }

  template <class Action>
  void in_course(const Action& action) {
    if (!course_) course_.emplace(*root_, *bin_);
    fs::current_path(course_->root());
    action();
    fs::current_path(*root_);
  }

  const fs::path* root_;
  const fs::path* bin_;
  fs::path file_;
  Tally* tally_;
  std::optional<docs::ExampleCourse> course_;
};

/// The README, the pages of the book, and the write-ups.
std::vector<fs::path> pages() {
  std::vector<fs::path> result = {"README.md"};
  for (const auto& entry : fs::directory_iterator("docs/pages")) result.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator("topics")) {
    if (fs::exists(entry.path() / "README.md")) result.push_back(entry.path() / "README.md");
  }
  return result;
}

/// Reports what the pages of the programs lack.
int gaps_in_tool_pages() {
  int gaps = 0;
  for (const std::string program : {"roofline", "lab", "grader"}) {
    const std::string page = "docs/pages/tool_" + program + ".md";
    for (const std::string& gap : docs::gaps_of(program, base::read_file(page))) {
      std::printf("%s: %s\n", page.c_str(), gap.c_str());
      ++gaps;
    }
  }
  return gaps;
}

int run(const fs::path& root, const fs::path& bin, bool write) {
  ::setenv("PATH", (bin.string() + ":" + std::getenv("PATH")).c_str(), 1);
  ::setenv("ROOFLINE_ROOT", root.c_str(), 1);  // for both, e.g. in <!--before: ...-->
  ::setenv("ROOFLINE_BUILD", bin.parent_path().c_str(), 1);
  ::setenv("LC_ALL", "C.UTF-8", 1);
  ::setenv("COLUMNS", "80", 1);
  fs::current_path(root);
  Tally tally;
  tally.shows_changes = !write;
  for (const fs::path& page : pages()) {
    const std::string before = base::read_file(page);
    const std::string after = Page(root, bin, page, tally).as_it_is();
    if (write && after != before) base::write_file_atomically(page, after);
  }
  const int gaps = gaps_in_tool_pages();
  std::printf("%d outputs and pieces of code in the pages, %d %s\n", tally.examples, tally.wrong,
              write ? "corrected" : "wrong");
  if (tally.examples == 0) throw std::runtime_error("no output was found: is this the project?");
  return gaps == 0 && (tally.wrong == 0 || write) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 4 ? argv[3] : "";
  if (mode != "--check" && mode != "--write") {
    std::fputs("usage: doc_examples PROJECT_ROOT BIN_FOLDER --check|--write\n", stderr);
    return 2;
  }
  try {
    return run(fs::absolute(argv[1]), fs::absolute(argv[2]), mode == "--write");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "doc_examples: %s\n", error.what());
    return 1;
  }
}
