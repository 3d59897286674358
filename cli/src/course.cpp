// SPDX-License-Identifier: MIT
// Exercises and their places in the checkout.
#include "course.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "base/files.hpp"
#include "grader/exercise/names.hpp"
#include "grader/program/build_tree.hpp"
#include "grader/report/report.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

int line_containing(const fs::path& file, const std::string& text) {
  std::ifstream in(file);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find(text) != std::string::npos) return number;
  }
  return 0;
}

/// The line of the first TODO whose id shares the most words with the beginning of `id`; 0 in a
/// file without TODOs.
int line_of_nearest_todo(const fs::path& file, const std::string& id) {
  constexpr std::string_view kMark = "TODO(";
  std::ifstream in(file);
  int number = 0;
  int nearest = 0;
  std::ptrdiff_t most_shared = -1;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::size_t mark = line.find(kMark);
    if (mark == std::string::npos) continue;
    const std::string other = line.substr(mark + kMark.size());
    const auto differ = std::mismatch(id.begin(), id.end(), other.begin(), other.end());
    std::ptrdiff_t shared = differ.first - id.begin();
    while (shared > 0 && std::isalnum(static_cast<unsigned char>(other[shared]))) --shared;
    if (shared > most_shared) {
      most_shared = shared;
      nearest = number;
    }
  }
  return nearest;
}

}  // namespace

Course::Course(fs::path root, fs::path build)
    : root_(std::move(root)), build_(std::move(build)), backend_(grader::backend_of(build_)) {
  std::vector<grader::SchemaError> errors;
  for (grader::Topic& topic : grader::load_topics(root_, errors)) {
    for (grader::Exercise& exercise : topic.exercises) exercises_.push_back(std::move(exercise));
  }
  if (!errors.empty()) throw std::runtime_error(grader::describe(errors.front()));
  if (!fs::exists(results_folder())) return;
  for (const auto& entry : fs::directory_iterator(results_folder())) {
    if (entry.path().extension() != ".json") continue;
    try {
      const std::string text = base::read_file(entry.path());
      for (grader::Verdict& verdict : grader::parse_results(text).verdicts) {
        verdicts_[verdict.id] = std::move(verdict);
      }
    } catch (const std::exception&) {
      continue;  // from another version of the grader, or half written: treated as not judged yet
    }
  }
}

fs::path Course::results_folder() const {
  return build_ / (has_solutions() ? "grade" : "check");
}

bool Course::has_solutions() const {
  return fs::exists(root_ / "solutions");
}

std::vector<const grader::Exercise*> Course::matching(std::string_view prefix) const {
  std::vector<const grader::Exercise*> whole_words;
  std::vector<const grader::Exercise*> letters;
  for (const grader::Exercise& exercise : exercises_) {
    const std::string_view id = exercise.id;
    const bool starts = !prefix.empty() && id.starts_with(prefix);
    if (starts) letters.push_back(&exercise);
    if (prefix == "all" || exercise.topic == prefix ||
        (starts && (id.size() == prefix.size() || id[prefix.size()] == '.'))) {
      whole_words.push_back(&exercise);
    }
  }
  return whole_words.empty() ? letters : whole_words;
}

std::vector<const grader::Exercise*> Course::chosen(std::string_view prefix) const {
  std::vector<const grader::Exercise*> found = matching(prefix);
  if (!found.empty()) return found;
  std::vector<std::string> ids;
  for (const grader::Exercise& exercise : exercises_) ids.push_back(exercise.id);
  throw std::runtime_error(grader::unknown_exercise(ids, prefix, "./lab list shows them all"));
}

const grader::Exercise& Course::one(std::string_view id) const {
  const std::vector<const grader::Exercise*> found = chosen(id);
  if (found.size() > 1) {
    std::string message = std::string(id) + " names several exercises; give the whole id:";
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 4); ++i) {
      message += " " + found[i]->id;
    }
    throw std::runtime_error(message + (found.size() > 4 ? " ..." : ""));
  }
  return *found.front();
}

const grader::Exercise* Course::next_unsolved(const grader::Exercise* after) const {
  const auto start = std::find_if(exercises_.begin(), exercises_.end(), [&](const auto& exercise) {
    return after != nullptr && exercise.id == after->id;
  });
  const std::size_t first =
      start == exercises_.end() ? 0 : static_cast<std::size_t>(start - exercises_.begin()) + 1;
  for (std::size_t i = 0; i < exercises_.size(); ++i) {
    const grader::Exercise& exercise = exercises_[(first + i) % exercises_.size()];
    if (!is_solved(exercise) && gives_points_for(exercise)) return &exercise;
  }
  return nullptr;
}

const grader::Verdict* Course::verdict(const grader::Exercise& exercise) const {
  const auto found = verdicts_.find(exercise.id);
  return found == verdicts_.end() ? nullptr : &found->second;
}

std::optional<double> Course::points(const grader::Exercise& exercise) const {
  const grader::Verdict* last = verdict(exercise);
  if (last == nullptr) return std::nullopt;
  return last->points;
}

bool Course::is_solved(const grader::Exercise& exercise) const {
  return points(exercise).value_or(0) >= exercise.points;
}

bool Course::gives_points_for(const grader::Exercise& exercise) const {
  return is_graded_on(exercise, backend_);
}

Place Course::place_of(const grader::Exercise& exercise) const {
  const fs::path topic = fs::path("topics") / exercise.topic;
  Place place{topic / exercise.files.front(), 0};
  // Speed is judged on another exercise's kernel; the nearest TODO is then that exercise's.
  place.line = place.file.filename() == "answers.toml"
                   ? line_containing(root_ / place.file, "[\"" + exercise.id + "\"]")
                   : line_of_nearest_todo(root_ / place.file, exercise.id);
  return place;
}

std::vector<fs::path> Course::files_of(const grader::Exercise& exercise) const {
  std::vector<fs::path> result;
  for (const std::string& file : exercise.files) {
    result.push_back(root_ / "topics" / exercise.topic / file);
  }
  return result;
}

}  // namespace cli
