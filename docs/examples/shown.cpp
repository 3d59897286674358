// SPDX-License-Identifier: MIT
// Runs commands; compares what a page shows with what they print.
#include "shown.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace docs {
namespace {

/// The width of a code block on the site.
constexpr std::size_t kColumns = 84;
/// A page that shows less than this of an output compares nothing.
constexpr std::size_t kFewestCharacters = 20;
/// Exit statuses of our programs, e.g. for a wrong answer or an incomplete profile, are 0 to 4.
constexpr int kHighestStatus = 4;

/// Notes about machines are wider than a page, so they are broken at spaces. Everything else is
/// shown as printed.
std::string folded(const std::string& command, std::string line) {
  constexpr std::size_t kIndent = 30;
  const bool is_wide = command.starts_with("roofline machines ");
  std::string result;
  while (is_wide && line.size() > kColumns) {
    const auto space = line.rfind(' ', kColumns);
    if (space == std::string::npos || space <= kIndent) break;
    result += line.substr(0, space) + "\n";
    line = std::string(kIndent, ' ') + line.substr(space + 1);
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return result + line + '\n';
}

/// A command as one would type it, a long one on several lines: broken before an option, a pipe or
/// &&.
std::string typed(std::string command) {
  std::string result = "$ ";
  while (result.size() - (result.rfind('\n') + 1) + command.size() > kColumns) {
    std::size_t best = std::string::npos;
    for (const char* word : {" --", " | ", " && "}) {
      const auto at = command.rfind(word, kColumns - 6);
      if (at != std::string::npos && at > 0 && (best == std::string::npos || at > best)) best = at;
    }
    if (best == std::string::npos) break;
    result += command.substr(0, best) + " \\\n    ";
    command.erase(0, best + 1);
  }
  return result + command + '\n';
}

/// Whether a line matches a pattern; the texts between its marks must occur in order.
bool is_same_line(std::string_view pattern, std::string_view line) {
  const std::string_view mark = kLeftOut;
  const auto first = pattern.find(mark);
  if (first == std::string_view::npos) return pattern == line;
  if (!line.starts_with(pattern.substr(0, first))) return false;
  line.remove_prefix(first);
  pattern.remove_prefix(first + mark.size());
  for (;;) {
    const auto next = pattern.find(mark);
    if (next == std::string_view::npos) return line.ends_with(pattern);
    const auto found = line.find(pattern.substr(0, next));
    if (found == std::string_view::npos) return false;
    line.remove_prefix(found + next);
    pattern.remove_prefix(next + mark.size());
  }
}

/// What a command prints. @throws std::runtime_error if it exits with a higher status.
std::string output_of(const std::string& command, int highest_status) {
  std::FILE* pipe = ::popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start a shell");
  std::string text;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    text.append(buffer, got);
  }
  const int status = ::pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) > highest_status) {
    throw std::runtime_error("'" + command + "' failed:\n" + text);
  }
  return text;
}

/// A help text without what differs between versions of the library that prints it: the position of
/// words, and whether a default is "=3" or " [3]".
std::string words_of_help(const std::string& text) {
  std::string words;
  for (const char c : text) {
    const bool is_space = c == '=' || std::isspace(static_cast<unsigned char>(c)) != 0;
    if (c == '[' || c == ']' || (is_space && words.ends_with(' '))) continue;
    words += is_space ? ' ' : c;
  }
  return words;
}

bool are_same(const std::vector<std::string>& shown, std::size_t i,
              const std::vector<std::string>& now, std::size_t k) {
  for (; i < shown.size(); ++i, ++k) {
    if (shown[i] == kLeftOut) {
      for (std::size_t rest = k; rest <= now.size(); ++rest) {
        if (are_same(shown, i + 1, now, rest)) return true;
      }
      return false;
    }
    if (k == now.size() || !is_same_line(shown[i], now[k])) return false;
  }
  return k == now.size();
}

}  // namespace

std::string output_of(const std::string& command) {
  return output_of(command, kHighestStatus);
}

void prepare(const std::string& command) {
  output_of(command, 0);
}

std::string block_of(const std::string& command, const std::string& output) {
  std::string result = typed(command);
  for (const std::string& line : base::lines_of(output)) result += folded(command, line);
  while (result.ends_with("\n\n")) result.pop_back();
  return result;
}

bool is_same(const std::string& shown, const std::string& now) {
  const std::vector<std::string> lines = base::lines_of(shown);
  if (lines.empty()) return false;  // a block for --write to fill in
  std::size_t compared = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {  // the first line is the command
    for (const char c : lines[i]) compared += std::isspace(static_cast<unsigned char>(c)) == 0;
    for (auto at = lines[i].find(kLeftOut); at != std::string::npos;
         at = lines[i].find(kLeftOut, at + 1)) {
      compared -= std::string_view(kLeftOut).size();
    }
  }
  const bool leaves_out = shown.find(kLeftOut) != std::string::npos;
  if (leaves_out && compared < kFewestCharacters) {
    throw std::runtime_error("'" + lines.front() + "' leaves out nearly everything");
  }
  if (lines.front().ends_with(" --help")) return words_of_help(shown) == words_of_help(now);
  return are_same(lines, 0, base::lines_of(now), 0);
}

std::string with_left_out(const std::string& shown, const std::string& now) {
  const std::vector<std::string> patterns = base::lines_of(shown);
  std::string result;
  for (const std::string& line : base::lines_of(now)) {
    const auto pattern = std::find_if(patterns.begin(), patterns.end(), [&](const std::string& p) {
      return p != kLeftOut && p.find(kLeftOut) != std::string::npos && is_same_line(p, line);
    });
    result += (pattern == patterns.end() ? line : *pattern) + "\n";
  }
  return result;
}

}  // namespace docs
