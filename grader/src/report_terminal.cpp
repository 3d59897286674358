// SPDX-License-Identifier: MIT
// Verdicts and score tables for a terminal of 80 columns.
#include <fmt/format.h>

#include <sstream>

#include "grader/report.hpp"

namespace grader {
namespace {

constexpr std::size_t kColumns = 80;

const char* colour_of(Status status) {
  switch (status) {
    case Status::kPassed:
      return "\x1b[32m";
    case Status::kPartial:
    case Status::kInconclusive:
    case Status::kSkipped:
    case Status::kUnsolved:
      return "\x1b[33m";
    default:
      return "\x1b[31m";
  }
}

std::string painted(const std::string& text, Status status, bool colour) {
  return colour ? colour_of(status) + text + "\x1b[0m" : text;
}

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

/// Breaks words so that each line, indented, fits. Lines that are laid out already (tables) stay.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (indent.size() + line.size() <= kColumns) {
      out += indent + line + '\n';
      continue;
    }
    std::istringstream words(line);
    std::string current = indent;
    for (std::string word; words >> word;) {
      if (current.size() + 1 + word.size() > kColumns && current != indent) {
        out += current + '\n';
        current = indent;
      }
      current += (current == indent ? "" : " ") + cut(word, kColumns - indent.size());
    }
    out += current + '\n';
  }
  return out;
}

std::string points_of(const Verdict& verdict) {
  if (!is_counted(verdict.status)) return fmt::format("-/{:g}", verdict.max_points);
  return fmt::format("{:.4g}/{:g}", verdict.points, verdict.max_points);
}

}  // namespace

std::string terminal_verdict(const Verdict& verdict, bool colour) {
  const std::string status(name_of(verdict.status));
  std::string out = fmt::format("{}  {}  {} points\n", painted(status, verdict.status, colour),
                                verdict.id, points_of(verdict));
  out += wrapped(verdict.message, "  ");
  out += wrapped(verdict.detail, "  ");
  if (verdict.status == Status::kPassed) return out;
  if (!verdict.output.empty()) {
    out += "  The program printed:\n" + wrapped(verdict.output, "  | ");
  }
  if (verdict.seed != 0) out += fmt::format("  Inputs again: --seed {}\n", verdict.seed);
  out += wrapped("Read: " + verdict.read, "  ");
  return out;
}

std::string terminal_table(const Results& results, bool colour) {
  std::string out;
  std::string topic;
  for (const Verdict& verdict : results.verdicts) {
    if (verdict.topic != topic) {
      topic = verdict.topic;
      out += fmt::format("{}{}\n", out.empty() ? "" : "\n", topic);
    }
    const std::string status = fmt::format("{:<12}", name_of(verdict.status));
    out += fmt::format("  {:<28} {:<24} {} {:>9}\n", cut(verdict.id, 28), cut(verdict.title, 24),
                       painted(status, verdict.status, colour), points_of(verdict));
  }
  const double most = results.max_points();
  out += fmt::format("\n{:<68} {:>9}\n", results.complete ? "Sum" : "Sum (not complete)",
                     fmt::format("{:.4g}/{:g}", results.points(), most));
  return out;
}

}  // namespace grader
