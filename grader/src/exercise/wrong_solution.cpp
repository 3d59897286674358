// SPDX-License-Identifier: MIT
// Reads hunks, finds their lines in the solution and replaces them.
#include "grader/exercise/wrong_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "base/files.hpp"
#include "base/text.hpp"
#include "grader/exercise/starter.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr const char* kChanges = ".diff";
constexpr const char* kBeginOfHunk = "@@";
constexpr std::string_view kNamesAnother = "// Changes: ";

/// Lines of a file that may have been saved on Windows.
Lines lines_without_returns(std::string_view text) {
  Lines lines = base::lines_of(text);
  for (std::string& line : lines) {
    if (line.ends_with('\r')) line.pop_back();
  }
  return lines;
}

struct Hunk {
  std::size_t line = 0;              ///< of its @@ line, from 1
  Lines before;                      ///< lines of the solution
  Lines after;                       ///< their replacement
  std::vector<std::size_t> numbers;  ///< line numbers of `before` in the file of changes, from 1
  std::size_t at = 0;                ///< index of the first line of `before` in the solution
  std::size_t end() const { return at + before.size(); }
};

/// One file of changes, and how its mistakes are reported.
class Changes {
 public:
  explicit Changes(const NamedText& file) : name_(file.name) {
    const Lines lines = lines_without_returns(file.text);
    for (std::size_t i = 0; i < lines.size(); ++i) read(lines[i], i + 1);
    if (hunks_.empty()) {
      fail(lines.size(),
           "no line @@, which begins a change; a complete file is named like its "
           "solution, .cu or .cpp");
    }
    for (const Hunk& hunk : hunks_) {
      if (hunk.before == hunk.after) fail(hunk.line, "this hunk changes nothing");
      if (hunk.before.empty()) {
        fail(hunk.line,
             "this hunk has no context: add the line before or after it, prefixed with a blank");
      }
    }
  }

  /// The solution's lines with all hunks applied. `solution` is its name.
  Lines applied(const Lines& lines, const std::string& solution) {
    for (Hunk& hunk : hunks_) find(hunk, lines, solution);
    std::sort(hunks_.begin(), hunks_.end(),
              [](const Hunk& a, const Hunk& b) { return a.at < b.at; });
    Lines result;
    auto next = lines.begin();
    const Hunk* last = nullptr;
    for (const Hunk& hunk : hunks_) {
      if (last != nullptr && hunk.at < last->end()) {
        fail(hunk.line,
             fmt::format("this hunk overlaps the one at line {}: merge them", last->line));
      }
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(hunk.at);
      result.insert(result.end(), next, begin);
      result.insert(result.end(), hunk.after.begin(), hunk.after.end());
      next = begin + static_cast<std::ptrdiff_t>(hunk.before.size());
      last = &hunk;
    }
    result.insert(result.end(), next, lines.end());
    return result;
  }

  const Lines& header() const { return header_; }

 private:
  void read(const std::string& line, std::size_t number) {
    if (line == kBeginOfHunk) {
      hunks_.push_back({});
      hunks_.back().line = number;
      empty_lines_ = 0;
    } else if (!hunks_.empty() && line.empty()) {
      // The line belongs to the hunk if more of the hunk follows: an editor removed its blank.
      ++empty_lines_;
    } else if (!hunks_.empty()) {
      for (; empty_lines_ > 0; --empty_lines_) read_hunk_line(" ", number - empty_lines_);
      read_hunk_line(line, number);
    } else if (line.starts_with("//")) {
      header_.push_back(line);
    } else if (!line.empty()) {
      fail(number, "expected a comment of the header, or @@");
    }
  }
  void read_hunk_line(const std::string& line, std::size_t number) {
    Hunk& hunk = hunks_.back();
    const char sign = line.front();
    const std::string text = line.substr(1);
    if (sign != ' ' && sign != '-' && sign != '+') {
      fail(number, "a line of a hunk begins with - (removed), + (added) or a blank (context)");
    }
    if (sign != '+') {
      hunk.before.push_back(text);
      hunk.numbers.push_back(number);
    }
    if (sign != '-') hunk.after.push_back(text);
  }

  void find(Hunk& hunk, const Lines& lines, const std::string& solution) const {
    std::size_t places = 0;
    std::size_t most_alike = 0;
    std::size_t most_alike_at = 0;
    for (std::size_t at = 0; at < lines.size(); ++at) {
      std::size_t alike = 0;
      while (alike < hunk.before.size() && at + alike < lines.size() &&
             hunk.before[alike] == lines[at + alike]) {
        ++alike;
      }
      if (alike > most_alike) {
        most_alike = alike;
        most_alike_at = at;
      }
      if (alike == hunk.before.size()) {
        ++places;
        hunk.at = at;
      }
    }
    if (places == 1) return;
    if (places > 1) {
      fail(hunk.line,
           fmt::format("these lines occur {} times in {}: add context lines, each with a "
                       "blank in front",
                       places, solution));
    }
    const std::string& should = hunk.before[most_alike];
    const std::size_t number = hunk.numbers[most_alike];
    if (most_alike == 0) {
      fail(number, fmt::format("{} has no line \"{}\"; update the hunk", solution, should));
    }
    const std::size_t is = most_alike_at + most_alike;
    fail(number, fmt::format("{} continues with {}, not with \"{}\"; update the hunk", solution,
                             is < lines.size() ? '"' + lines[is] + '"' : "its end", should));
  }
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", name_, line, message));
  }

  std::string name_;
  Lines header_;
  std::vector<Hunk> hunks_;
  std::size_t empty_lines_ = 0;  ///< read since the last line of a hunk
};

std::string joined(const Lines& lines) {
  return lines.empty() ? "" : fmt::format("{}\n", fmt::join(lines, "\n"));
}

NamedText read_named(const fs::path& file) {
  return {file.lexically_normal().string(), base::read_file(file)};
}

Lines solved_lines(const NamedText& solution) {
  return base::lines_of(
      solved_starter(joined(lines_without_returns(solution.text)), solution.name));
}

/// The lines of each region of a solved starter: its TODO line and the lines below it.
std::vector<Lines> regions_of(const Lines& lines, const std::string& id) {
  std::vector<Lines> regions;
  bool inside = false;
  for (const std::string& line : lines) {
    if (line.find("// END TODO(") != std::string::npos) inside = false;
    if (line.find("// TODO(" + id) != std::string::npos) {
      inside = true;
      regions.emplace_back();
    }
    if (inside) regions.back().push_back(line);
  }
  return regions;
}

/// A hunk for each region that a new wrong solution may change.
std::string first_changes(const Exercise& exercise, const NamedText& solution) {
  const Lines lines = solved_lines(solution);
  std::vector<Lines> regions = regions_of(lines, exercise.id + ")");
  if (regions.empty()) regions = regions_of(lines, "");
  std::string text =
      "// SPDX-License-Identifier: MIT\n// CHANGE: what it does wrong.\n// Refused: " +
      exercise.id + " | failed | CHANGE: words of the verdict\n";
  for (const Lines& region : regions) {
    text += "@@\n " + region.front() +
            "\n+// CHANGE: mark removed lines with -, added ones with +, "
            "and delete the rest.\n";
    for (std::size_t i = 1; i < region.size(); ++i) text += ' ' + region[i] + '\n';
  }
  return text;
}

}  // namespace

std::string apply_changes(const NamedText& solution, const NamedText& changes) {
  Changes read(changes);
  const Lines lines = read.applied(solved_lines(solution), solution.name);
  return joined(read.header()) + "// Derived: edit " + fs::path(changes.name).filename().string() +
         ", not this file.\n" + joined(lines);
}

fs::path changed_solution(const fs::path& root, const fs::path& wrong) {
  if (fs::exists(wrong)) {
    for (const std::string& line : base::lines_of(base::read_file(wrong))) {
      if (line.starts_with(kNamesAnother)) return root / line.substr(kNamesAnother.size());
      if (!line.starts_with("//")) break;
    }
  }
  const fs::path folder = wrong.parent_path();
  const fs::path topic = root / "solutions" / folder.parent_path().filename();
  const std::string program = folder.filename().string();
  return program == "formulas" ? topic / "formulas.cpp" : topic / "code" / (program + ".cu");
}

std::string wrong_solution(const fs::path& root, const fs::path& wrong) {
  if (wrong.extension() != kChanges) return base::read_file(wrong);
  return apply_changes(read_named(changed_solution(root, wrong)), read_named(wrong));
}

void write_wrong_solutions(const fs::path& root, const fs::path& folder, const fs::path& out) {
  std::set<fs::path> changes;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == kChanges) changes.insert(entry.path());
  }
  fs::create_directories(out);
  std::string mistakes;
  for (const fs::path& wrong : changes) {
    fs::path file = out / wrong.filename();
    file.replace_extension(changed_solution(root, wrong).extension());
    try {
      const std::string text = wrong_solution(root, wrong);
      if (fs::exists(file) && base::read_file(file) == text) continue;
      base::write_file_atomically(file, text);
    } catch (const std::runtime_error& error) {
      mistakes += std::string(mistakes.empty() ? "" : "\n") + error.what();
    }
  }
  if (!mistakes.empty()) throw std::runtime_error(mistakes);
}

fs::path new_wrong_solution(const fs::path& root, const Exercise& exercise,
                            const std::string& name) {
  if (exercise.program.empty()) {
    throw std::runtime_error(exercise.id + " has no program: the wrong answers of a " +
                             std::string(name_of(exercise.kind())) +
                             " are the misconceptions of its exercises.toml");
  }
  const fs::path file =
      root / "tests" / "wrong" / exercise.topic / exercise.program / (name + kChanges);
  if (fs::exists(file)) throw std::runtime_error(file.string() + " exists already");
  const std::string text = first_changes(exercise, read_named(changed_solution(root, file)));
  fs::create_directories(file.parent_path());
  base::write_file_atomically(file, text);
  return file;
}

}  // namespace grader
