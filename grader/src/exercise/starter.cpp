// SPDX-License-Identifier: MIT
// Markers, regions and the comparison of topics/ with solutions/.
#include "grader/exercise/starter.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/files.hpp"
#include "base/text.hpp"
#include "grader/exercise/variant.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// A line split into its indentation, comment sign and the rest.
struct Line {
  std::string indent;
  std::string comment;  ///< "//" or "#"; empty when the line does not begin with a comment
  std::string rest;
};

Line split(const std::string& text) {
  const auto start = std::min(text.find_first_not_of(" \t"), text.size());
  Line line{text.substr(0, start), {}, text.substr(start)};
  for (const char* sign : {"//", "#"}) {
    if (!line.rest.starts_with(sign)) continue;
    line.comment = sign;
    line.rest = line.rest.substr(line.comment.size());
    break;
  }
  return line;
}

/// What a region becomes.
enum class Region { kUnsolved, kSolved };

/// Goes through a solution line by line and writes the starter, or the solved starter.
class Deriver {
 public:
  Deriver(std::string_view solution, std::string name, Region region)
      : lines_(base::lines_of(solution)), name_(std::move(name)), region_(region) {}

  std::string run() {
    for (const std::string& text : lines_) {
      ++number_;
      take(text, split(text));
    }
    if (state_ != State::kOutside) fail("the region of " + id_ + " has no @end");
    return out_;
  }
  std::size_t regions() const { return regions_; }

 private:
  enum class State { kOutside, kSolution, kStub };

  void take(const std::string& text, const Line& line) {
    const bool is_marker = !line.comment.empty() && line.rest.starts_with("@");
    if (is_marker && line.rest.starts_with("@solve ")) return open(line);
    if (is_marker && line.rest == "@stub") return begin_stub();
    if (is_marker && line.rest == "@end") return close(line);
    if (is_marker) fail("unknown marker " + line.comment + line.rest);
    const bool is_kept = state_ == State::kSolution && region_ == Region::kSolved;
    if (state_ == State::kOutside || is_kept) {
      out_ += text + '\n';
    } else if (state_ == State::kStub) {
      stub(line);
    }
  }
  void open(const Line& line) {
    if (state_ != State::kOutside) fail("a region inside the region of " + id_);
    const std::string rest = line.rest.substr(std::string("@solve ").size());
    const auto colon = rest.find(": ");
    if (colon == std::string::npos) fail("expected @solve ID: task");
    id_ = rest.substr(0, colon);
    out_ += line.indent + line.comment + " TODO(" + id_ + "): " + rest.substr(colon + 2) + '\n';
    state_ = State::kSolution;
    ++regions_;
  }
  void begin_stub() {
    if (state_ != State::kSolution) fail("@stub outside of a region");
    state_ = State::kStub;
  }
  void stub(const Line& line) {
    if (line.comment.empty() || !line.rest.starts_with("|")) {
      fail("a stub line must begin with //| (or #|)");
    }
    if (region_ == Region::kSolved) return;
    const std::string content = line.rest.substr(line.rest.starts_with("| ") ? 2 : 1);
    out_ += content.empty() ? "\n" : line.indent + content + '\n';
  }
  void close(const Line& line) {
    if (state_ != State::kStub) fail("@end without @stub");
    out_ += line.indent + line.comment + " END TODO(" + id_ + ")\n";
    state_ = State::kOutside;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw std::runtime_error(name_ + ":" + std::to_string(number_) + ": " + message);
  }

  std::vector<std::string> lines_;
  std::string name_;
  Region region_;
  std::string out_;
  std::string id_;
  State state_ = State::kOutside;
  std::size_t number_ = 0;
  std::size_t regions_ = 0;
};

bool is_reference_only(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with("answers") || name == "formulas_wrong.cpp";
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string first_difference(const std::string& is, const std::string& should) {
  const auto a = base::lines_of(is);
  const auto b = base::lines_of(should);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i >= a.size() || i >= b.size() || a[i] != b[i]) return "line " + std::to_string(i + 1);
  }
  return "the last line's end";
}

bool is_student_source(const fs::path& file, const fs::path& topic) {
  const fs::path inside = file.lexically_relative(topic);
  if (file.extension() == ".cu") return inside.begin()->string() == "code";
  return inside == "formulas.cpp";
}

std::string wrapped_comment(const std::string& text) {
  constexpr std::size_t kWidth = 96;
  return base::wrap(text, kWidth, "# ");
}

}  // namespace

std::string derive_starter(std::string_view solution, const std::string& name) {
  return Deriver(solution, name, Region::kUnsolved).run();
}

std::string solved_starter(std::string_view solution, const std::string& name) {
  return Deriver(solution, name, Region::kSolved).run();
}

std::size_t count_regions(std::string_view solution, const std::string& name) {
  Deriver deriver(solution, name, Region::kUnsolved);
  deriver.run();
  return deriver.regions();
}

bool asks_for_answers(const Topic& topic) {
  return std::any_of(topic.exercises.begin(), topic.exercises.end(),
                     [](const Exercise& e) { return e.rules().is_written; });
}

std::string starter_answers(const Topic& topic, const Variant& variant) {
  std::string out =
      "# Your numbers and words for topic " + topic.name + ", one table each. Write the value\n" +
      "# between the quotes, with its unit where one is named: value = \"12.5 GB/s\". A number\n" +
      "# without a unit counts in the unit that is asked for. Check with: ./lab check " +
      topic.name.substr(0, 2) + "\n";
  for (const Exercise& exercise : topic.exercises) {
    if (!exercise.rules().is_written) {
      continue;
    };
    const bool is_sentence = exercise.title.ends_with('?');
    out += '\n' + wrapped_comment(exercise.title + (is_sentence ? " " : ". ") +
                                  task_text(exercise, variant));
    out += "# Answer: " + exercise.rules().answer_form(exercise) + '\n';
    out += "[\"" + exercise.id + "\"]\nvalue = \"\"\n";
  }
  return out;
}

std::vector<Starter> plan_starters(const fs::path& root, const Variant& variant) {
  std::vector<Starter> plan;
  for (const fs::path& file : files_below(root / "solutions")) {
    if (is_reference_only(file)) continue;
    const std::string name = file.lexically_relative(root).string();
    const std::string solution = base::read_file(file);
    if (count_regions(solution, name) == 0) {
      throw std::runtime_error(name + ": no //@solve region, so its starter would be the solution");
    }
    plan.push_back({file, root / "topics" / file.lexically_relative(root / "solutions"),
                    derive_starter(solution, name)});
  }
  std::vector<SchemaError> errors;
  for (const Topic& topic : load_topics(root, errors)) {
    if (!asks_for_answers(topic)) continue;
    plan.push_back({{}, topic.folder / "answers.toml", starter_answers(topic, variant)});
  }
  if (!errors.empty()) throw std::runtime_error(describe(errors.front()));
  if (plan.empty()) throw std::runtime_error("no solutions below " + (root / "solutions").string());
  return plan;
}

std::vector<std::string> check_starters(const fs::path& root) {
  std::vector<std::string> differences;
  std::set<fs::path> planned;
  for (const Starter& starter : plan_starters(root)) {
    planned.insert(starter.file);
    const std::string name = starter.file.lexically_relative(root).string();
    if (!fs::exists(starter.file)) {
      differences.push_back(name + ": missing");
    } else if (const std::string is = base::read_file(starter.file); is != starter.content) {
      differences.push_back(name + ": differs from its solution at " +
                            first_difference(is, starter.content));
    }
  }
  for (const auto& topic : fs::directory_iterator(root / "topics")) {
    if (!topic.is_directory()) continue;
    for (const fs::path& file : files_below(topic.path())) {
      if (!is_student_source(file, topic.path()) || planned.contains(file)) continue;
      differences.push_back(file.lexically_relative(root).string() + ": stray, it has no solution");
    }
  }
  return differences;
}

std::vector<fs::path> write_starters(const fs::path& root) {
  std::vector<fs::path> written;
  for (const Starter& starter : plan_starters(root)) {
    if (fs::exists(starter.file) && base::read_file(starter.file) == starter.content) continue;
    fs::create_directories(starter.file.parent_path());
    base::write_file_atomically(starter.file, starter.content);
    written.push_back(starter.file);
  }
  return written;
}

}  // namespace grader
