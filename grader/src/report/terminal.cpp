// SPDX-License-Identifier: MIT
// Verdicts and score tables for a terminal of 80 columns.
#include "base/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"
#include "grader/report/report.hpp"

namespace grader {
namespace {

base::Paint paint_of(Status status) {
  switch (status) {
    case Status::kPassed:
      return base::Paint::kGreen;
    case Status::kPartial:
    case Status::kInconclusive:
    case Status::kSkipped:
    case Status::kShown:
    case Status::kUnsolved:
      return base::Paint::kYellow;
    default:
      return base::Paint::kRed;
  }
}

std::string painted(const std::string& text, Status status, bool colour) {
  return colour ? base::painted(text, paint_of(status)) : text;
}

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

/// The part of a word that fits on a line: a path is broken after a slash.
std::string_view part_of_word(std::string_view word, std::size_t width) {
  const std::string_view part = base::first_characters(word, width);
  const std::size_t slash = part.rfind('/');
  const bool is_path = slash != std::string_view::npos && slash + 1 >= part.size() / 4;
  return is_path ? part.substr(0, slash + 1) : part;
}

/// Breaks a line between words; continuation rows are aligned with its first word.
std::string broken(std::string_view line, const std::string& indent, std::size_t columns) {
  const std::size_t blanks = std::min(line.find_first_not_of(' '), columns / 4);
  const std::string margin = indent + std::string(blanks, ' ');
  const std::size_t room = columns - margin.size();
  std::istringstream words{std::string(line)};
  std::string out;
  std::string row;
  for (std::string word; words >> word;) {
    if (!row.empty() && base::width_of(row) + 1 + base::width_of(word) > room) {
      out += margin + row + '\n';
      row.clear();
    }
    if (!row.empty()) row += ' ';
    row += word;
    while (base::width_of(row) > room) {
      const std::string part(part_of_word(row, room));
      out += margin + part + '\n';
      row.erase(0, part.size());
    }
  }
  return row.empty() ? out : out + margin + row + '\n';
}

/// True for a line of compiler output that points at the one above: "      |   ~~~^~~".
bool is_caret_line(std::string_view line) {
  return line.find('^') != std::string_view::npos &&
         line.find_first_not_of(" |^~") == std::string_view::npos;
}

/// A line of code and the caret below it, shifted left until the caret is visible.
std::string code_and_caret(std::string_view code, std::string_view caret, const std::string& indent,
                           std::size_t columns) {
  const std::size_t bar = code.find(" | ");
  const std::size_t gutter = bar == std::string_view::npos || bar > 8 ? 0 : bar + 3;
  const std::size_t room = columns - indent.size() - gutter;
  const std::size_t place = caret.find('^') - std::min(gutter, caret.find('^'));
  const std::size_t end = std::min(place + room / 3, base::width_of(code) - gutter);
  const std::size_t skipped = end > room ? end - room : 0;
  std::string out;
  for (const std::string_view line : {code, caret}) {
    const std::size_t from = std::min(gutter + skipped, line.size());
    out += indent + std::string(line.substr(0, gutter)) +
           std::string(base::first_characters(line.substr(from), room)) + '\n';
  }
  return out;
}

/// The text in lines that fit; preformatted lines (tables, code) that fit stay unchanged.
std::string wrapped(const std::string& text, const std::string& indent, std::size_t columns) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (i + 1 < lines.size() && is_caret_line(lines[i + 1])) {
      out += code_and_caret(line, lines[i + 1], indent, columns);
      ++i;
    } else if (indent.size() + base::width_of(line) <= columns) {
      out += indent + line + '\n';
    } else {
      out += broken(line, indent, columns);
    }
  }
  return out;
}

std::string short_points(const Verdict& verdict) {
  if (verdict.max_points == 0) return "-";
  if (!is_counted(verdict.status)) return fmt::format("-/{:g}", verdict.max_points);
  return fmt::format("{:.4g}/{:g}", verdict.points, verdict.max_points);
}

}  // namespace

std::string terminal_verdict(const Verdict& verdict, bool colour, std::size_t columns) {
  const std::string status(name_of(verdict.status));
  std::string out = fmt::format(
      "{}  {}  {}\n", painted(status, verdict.status, colour), verdict.id,
      verdict.status == Status::kShown ? "not graded" : short_points(verdict) + " points");
  out += wrapped(verdict.message, "  ", columns);
  out += wrapped(verdict.detail, "  ", columns);
  if (!verdict.output.empty()) {
    out += "  The program printed:\n" + wrapped(verdict.output, "  | ", columns);
  }
  if (verdict.status == Status::kPassed) return out;
  if (verdict.seed != 0) out += fmt::format("  Inputs again: --seed {}\n", verdict.seed);
  out += wrapped("Read: " + verdict.read, "  ", columns);
  return out;
}

std::string last_terminal_verdict(const Results& results, bool colour, std::size_t columns) {
  Verdict verdict = results.verdicts.back();
  const auto earlier =
      std::find_if(results.verdicts.begin(), results.verdicts.end() - 1, [&](const Verdict& other) {
        return other.message == verdict.message && verdict.detail.starts_with(other.detail) &&
               other.detail.find('\n') != std::string::npos;
      });
  if (earlier != results.verdicts.end() - 1) {
    const std::string more = verdict.detail.substr(earlier->detail.size());
    verdict.detail = "In the same words as for " + earlier->id + ", above." +
                     (more.empty() || more.starts_with('\n') ? "" : "\n") + more;
  }
  return terminal_verdict(verdict, colour, columns);
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
                       painted(status, verdict.status, colour), short_points(verdict));
  }
  const double most = results.max_points();
  out += fmt::format("\n{:<68} {:>9}\n", results.complete ? "Sum" : "Sum (not complete)",
                     fmt::format("{:.4g}/{:g}", results.points(), most));
  return out;
}

}  // namespace grader
