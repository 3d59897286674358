// SPDX-License-Identifier: MIT
// Runs the build tool under a lock and picks the errors worth reading.
#include "grader/program/build.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <regex>
#include <span>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "base/descriptor.hpp"
#include "base/file_lock.hpp"
#include "grader/program/launch_errors.hpp"
#include "grader/program/sanitize.hpp"

extern char** environ;

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostErrors = 3;
constexpr std::size_t kLinesPerError = 3;  // the error, the line of code, the caret
constexpr std::size_t kMostLines = 40;     // including the table about a launch

/// Starts `arguments` with both output streams into one pipe. Returns its process id.
pid_t start(const std::vector<std::string>& arguments, base::Descriptor& output) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  output = base::Descriptor(ends[0]);
  const base::Descriptor writer(ends[1]);
  std::vector<char*> argv;
  for (const std::string& text : arguments) argv.push_back(const_cast<char*>(text.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, writer.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, writer.get(), STDERR_FILENO);
  pid_t child = -1;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw std::runtime_error("cannot start " + arguments[0] + ": " + std::strerror(error));
  }
  return child;
}

std::string read_all(const base::Descriptor& pipe) {
  std::string text;
  char buffer[1 << 14];
  for (;;) {
    const ssize_t got = ::read(pipe.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

/// Makes paths relative to the checkout's root: `prefix` is the root, and compiler caches write
/// paths relative to the build folder.
std::string without_prefix(std::string line, const std::string& prefix) {
  while (line.starts_with("../")) line.erase(0, 3);
  for (auto at = line.find(prefix); at != std::string::npos; at = line.find(prefix, at)) {
    line.erase(at, prefix.size());
  }
  return line;
}

bool is_error(const std::string& line) {
  return line.find("error:") != std::string::npos ||
         line.find("undefined reference") != std::string::npos ||
         line.find("ld: ") !=
             std::string::npos ||  // the linker's messages, such as a missing library
         line.find("): error") != std::string::npos;
}

/// Lines about templates and candidates, which hardly help with the student's mistake.
bool is_noise(const std::string& line) {
  return line.find("note:") != std::string::npos ||
         line.find("required from") != std::string::npos ||
         line.find("In instantiation of") != std::string::npos ||
         line.find("In file included from") != std::string::npos;
}

/// The build tool's own lines.
bool is_of_build_tool(const std::string& line) {
  static const std::regex kProgress("^\\[[0-9]+/[0-9]+\\] ");
  return std::regex_search(line, kProgress) || line.starts_with("FAILED: ") ||
         line.starts_with("ninja: ");
}

/// The part of an error that stays the same when it is repeated: a code excerpt is only shown once,
/// and the name that it suggests depends on what else the compiler knows.
std::string what_repeats(const std::string& block) {
  std::istringstream lines(block);
  std::string head;
  for (std::string line; std::getline(lines, line);) {
    head += line.substr(0, line.find("; did you mean")) + "\n";
    if (is_error(line)) break;
  }
  return head;
}

/// "topics/FILE:LINE" when the line says that a template was instantiated there; else empty.
std::string instantiated_from(const std::string& line) {
  const bool says_so = line.find("required from here") != std::string::npos ||
                       line.find("requested here") != std::string::npos;
  if (!says_so || !line.starts_with("topics/")) return {};
  const auto colon = line.find(':');
  return line.substr(0, line.find(':', colon + 1));
}

/// "FILE:LINE:COLUMN" of an error.
std::string_view place_of(std::string_view error) {
  return error.substr(0, error.find(": "));
}

}  // namespace

std::string first_errors(const std::string& output, const fs::path& root) {
  const std::string prefix = (root / "").string();
  std::vector<std::string> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) lines.push_back(without_prefix(line, prefix));

  std::vector<std::string> own;
  std::vector<std::string> others;
  std::string came_from;  // the student's line that the instantiation started from
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const std::string place = instantiated_from(lines[i]); !place.empty()) came_from = place;
    if (!is_error(lines[i])) continue;
    const std::size_t next = static_cast<std::size_t>(
        std::find_if(lines.begin() + static_cast<long>(i) + 1, lines.end(), is_error) -
        lines.begin());
    const std::span<const std::string> error(&lines[i], next - i);
    if (is_follow_up(error)) {
      came_from.clear();
      continue;
    }
    std::string block = launch_error_in_words(error, root);
    if (!block.empty()) {
      // The compiler repeats an error for other brackets of the line and for other number types.
      const std::string head = block.substr(0, block.find('\n'));
      if (std::ranges::none_of(own, [&](auto& b) { return b.starts_with(head); })) {
        own.push_back(std::move(block));
      }
      came_from.clear();
      continue;
    }
    for (std::size_t k = 0; k < std::min(kLinesPerError, error.size()); ++k) {
      if (k > 0 && (is_noise(error[k]) || is_of_build_tool(error[k]))) break;
      block += error[k] + "\n";
    }
    block = counting_error_in_words(std::move(block));
    if (lines[i].starts_with("topics/")) {
      own.push_back(std::move(block));
    } else {
      // clang reports the origin after the error, GCC before it.
      for (const std::string& line : error) {
        if (const std::string place = instantiated_from(line); !place.empty()) came_from = place;
      }
      if (!came_from.empty())
        block = came_from + ": what this line uses does not compile:\n" + block;
      (came_from.empty() ? others : own).push_back(std::move(block));
    }
    came_from.clear();
  }
  own.insert(own.end(), others.begin(), others.end());
  // A kernel is compiled twice, plain and checked, so its mistakes are reported twice.
  std::vector<std::string> different;
  for (const std::string& block : own) {
    // An error that plain numbers cause as well does not come from counting.
    const bool of_plain_too =
        is_about_counting(block) && std::ranges::any_of(own, [&](auto& other) {
          return !is_about_counting(other) && place_of(other) == place_of(block);
        });
    const bool is_repeated = std::ranges::any_of(
        different, [&](auto& other) { return what_repeats(other) == what_repeats(block); });
    if (!of_plain_too && !is_repeated) {
      different.push_back(block);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(different.size(), kMostErrors); ++i) text += different[i];
  return text.empty() ? sanitize_output(output) : sanitize_output(text, kMostErrors * kMostLines);
}

std::string build_targets(const fs::path& build, const std::vector<std::string>& targets,
                          const fs::path& root, const std::function<void()>& when_waiting) {
  const base::FileLock locked = base::FileLock::wait(
      build / ".build-lock", base::FileLock::Mode::kAlone, [&](const base::FileLock&) {
        if (when_waiting) when_waiting();
      });
  base::Descriptor output;
  // In the C locale, compilers use ASCII quotes.
  std::vector<std::string> arguments = {"env",     "LC_ALL=C",     "cmake",
                                        "--build", build.string(), "--target"};
  arguments.insert(arguments.end(), targets.begin(), targets.end());
  const pid_t child = start(arguments, output);
  const std::string text = read_all(output);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return first_errors(text, root);
}

}  // namespace grader
