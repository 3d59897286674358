// SPDX-License-Identifier: MIT
// Exercises and their places in the checkout.
#include "course.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "grader/report.hpp"

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

}  // namespace

Course::Course(fs::path root, fs::path build) : root_(std::move(root)), build_(std::move(build)) {
  std::vector<grader::SchemaError> errors;
  for (grader::Topic& topic : grader::load_topics(root_, errors)) {
    for (grader::Exercise& exercise : topic.exercises) exercises_.push_back(std::move(exercise));
  }
  if (!errors.empty()) throw std::runtime_error(grader::describe(errors.front()));
  const fs::path results = build_ / "grade";
  if (!fs::exists(results)) return;
  try {
    for (const grader::Verdict& verdict : grader::read_results(results).verdicts) {
      points_[verdict.id] = verdict.points;
    }
  } catch (const std::runtime_error&) {
    points_.clear();  // written by another version of the grader: as if not graded yet
  }
}

std::vector<const grader::Exercise*> Course::matching(std::string_view prefix) const {
  std::vector<const grader::Exercise*> result;
  for (const grader::Exercise& exercise : exercises_) {
    const std::string_view id = exercise.id;
    if (id.starts_with(prefix) && (id.size() == prefix.size() || id[prefix.size()] == '.')) {
      result.push_back(&exercise);
    }
  }
  return result;
}

std::optional<double> Course::points(const grader::Exercise& exercise) const {
  const auto found = points_.find(exercise.id);
  if (found == points_.end()) return std::nullopt;
  return found->second;
}

bool Course::is_solved(const grader::Exercise& exercise) const {
  return points(exercise).value_or(0) >= exercise.points;
}

Place Course::place_of(const grader::Exercise& exercise) const {
  const fs::path topic = fs::path("topics") / exercise.topic;
  Place place{topic / exercise.files.front(), 0};
  const bool is_answer = place.file.filename() == "answers.toml";
  const std::string mark = is_answer ? "[\"" + exercise.id + "\"]" : "TODO(" + exercise.id + ")";
  place.line = line_containing(root_ / place.file, mark);
  return place;
}

}  // namespace cli
