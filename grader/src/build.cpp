// SPDX-License-Identifier: MIT
// Runs the build tool under a lock and picks the errors worth reading.
#include "grader/build.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "grader/process.hpp"
#include "harness/channel.hpp"

extern char** environ;

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostErrors = 3;
constexpr std::size_t kLinesPerError = 3;  // the error, the line of code, the caret
constexpr std::size_t kColumns = 76;       // a report puts four more in front

harness::Descriptor lock(const fs::path& file, const std::function<void()>& when_waiting) {
  harness::Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  int status = descriptor ? ::flock(descriptor.get(), LOCK_EX | LOCK_NB) : -1;
  if (status != 0 && descriptor && errno == EWOULDBLOCK) {
    if (when_waiting) when_waiting();
    do {
      status = ::flock(descriptor.get(), LOCK_EX);
    } while (status != 0 && errno == EINTR);
  }
  if (status != 0) {
    throw std::runtime_error("cannot lock " + file.string() + ": " + std::strerror(errno));
  }
  return descriptor;
}

/// Starts `arguments` with both output streams into one pipe. Returns its process id.
pid_t start(const std::vector<std::string>& arguments, harness::Descriptor& output) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  output = harness::Descriptor(ends[0]);
  const harness::Descriptor writer(ends[1]);
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

std::string read_all(const harness::Descriptor& pipe) {
  std::string text;
  char buffer[1 << 14];
  for (;;) {
    const ssize_t got = ::read(pipe.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

/// Paths from the root of the checkout: `prefix` is the root, and compiler caches write the way
/// there from the build folder.
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
             std::string::npos ||  // the linker's own words, such as a missing library
         line.find("): error") != std::string::npos;
}

/// Lines about templates and candidates, which say little about the student's mistake.
bool is_noise(const std::string& line) {
  return line.find("note:") != std::string::npos ||
         line.find("required from") != std::string::npos ||
         line.find("In instantiation of") != std::string::npos ||
         line.find("In file included from") != std::string::npos;
}

/// "topics/FILE:LINE" when the line says that a template was instantiated there; else empty.
std::string instantiated_from(const std::string& line) {
  const bool says_so = line.find("required from here") != std::string::npos ||
                       line.find("requested here") != std::string::npos;
  if (!says_so || !line.starts_with("topics/")) return {};
  const auto colon = line.find(':');
  return line.substr(0, line.find(':', colon + 1));
}

/// A message of the compiler for a terminal of 80 columns: broken between words where it can be.
std::string broken(const std::string& line) {
  std::istringstream words(line);
  std::string result;
  std::string row;
  for (std::string word; words >> word;) {
    if (!row.empty() && row.size() + 1 + word.size() > kColumns) {
      result += row + "\n";
      row = "   ";
    }
    if (!row.empty()) row += ' ';
    row += word;
    for (; row.size() > kColumns; row = "    " + row.substr(kColumns)) {
      result += row.substr(0, kColumns) + "\n";
    }
  }
  return result + row + "\n";
}

/// Compiler output for a terminal: no control characters; lines of code and carets are cut, because
/// broken ones would not stand under one another.
std::string terminal_text(const std::string& text) {
  std::string result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    for (char& c : line) c = c >= ' ' && c <= '~' ? c : ' ';
    const bool is_code = line.starts_with(' ');
    result += is_code ? line.substr(0, kColumns) + "\n" : broken(line);
  }
  return result;
}

}  // namespace

std::string first_errors(const std::string& output, const fs::path& root) {
  const std::string prefix = (root / "").string();
  std::vector<std::string> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) lines.push_back(without_prefix(line, prefix));

  std::vector<std::string> own;
  std::vector<std::string> others;
  std::string came_from;  // the student's line that an instantiation began with
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const std::string place = instantiated_from(lines[i]); !place.empty()) came_from = place;
    if (!is_error(lines[i])) continue;
    std::string block;
    for (std::size_t k = i; k < std::min(i + kLinesPerError, lines.size()); ++k) {
      if (k > i && (is_error(lines[k]) || is_noise(lines[k]))) break;
      block += lines[k] + "\n";
    }
    if (lines[i].starts_with("topics/")) {
      own.push_back(std::move(block));
    } else {
      // clang says where it came from after the error, GCC before it.
      for (std::size_t k = i + 1; k < lines.size() && !is_error(lines[k]); ++k) {
        if (const std::string place = instantiated_from(lines[k]); !place.empty()) {
          came_from = place;
        }
      }
      if (!came_from.empty())
        block = came_from + ": what this line uses does not compile:\n" + block;
      (came_from.empty() ? others : own).push_back(std::move(block));
    }
    came_from.clear();
  }
  own.insert(own.end(), others.begin(), others.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(own.size(), kMostErrors); ++i) text += own[i];
  return text.empty() ? harmless(output) : terminal_text(text);
}

std::string build_target(const fs::path& build, const std::string& target, const fs::path& root,
                         const std::function<void()>& when_waiting) {
  const harness::Descriptor locked = lock(build / ".build-lock", when_waiting);
  harness::Descriptor output;
  // In the C locale compilers quote in ASCII.
  const pid_t child =
      start({"env", "LC_ALL=C", "cmake", "--build", build.string(), "--target", target}, output);
  const std::string text = read_all(output);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return first_errors(text, root);
}

}  // namespace grader
