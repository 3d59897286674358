// SPDX-License-Identifier: MIT
// CSV in, CSV out.
#include "grader/gradebook.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <stdexcept>

namespace grader {

namespace fs = std::filesystem;

namespace {

int version_of(const std::string& text, const std::string& place) {
  if (text.empty()) return 0;
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size() || version < 1) {
    throw std::runtime_error(place + "variant-version must be a whole number from 1 on");
  }
  return version;
}

}  // namespace

std::vector<Student> read_roster(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) throw std::runtime_error("cannot read " + file.string());
  const std::vector<std::string> header = csv_fields(line);
  const auto column = [&](const char* name) {
    return std::find(header.begin(), header.end(), name) - header.begin();
  };
  const auto id = static_cast<std::size_t>(column("id"));
  const auto name = static_cast<std::size_t>(column("name"));
  const auto version = static_cast<std::size_t>(column("variant-version"));
  if (id == header.size()) {
    throw std::runtime_error(file.string() + ":1: the header has no column id");
  }
  std::vector<Student> students;
  std::set<std::string> seen;
  for (int number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string> fields = csv_fields(line);
    if (fields.size() == 1 && fields[0].empty()) continue;
    const std::string place = file.string() + ":" + std::to_string(number) + ": ";
    if (fields.size() <= id || fields[id].empty()) throw std::runtime_error(place + "no id");
    if (!seen.insert(fields[id]).second) throw std::runtime_error(place + "id used twice");
    students.push_back({fields[id], name < fields.size() ? fields[name] : "",
                        version < fields.size() ? version_of(fields[version], place) : 0});
  }
  return students;
}

Gradebook::Gradebook(std::vector<Student> students, const std::vector<Topic>& topics)
    : students_(std::move(students)) {
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) exercises_.push_back(exercise.id);
  }
}

void Gradebook::enter(const std::string& student, const Results& results) {
  std::map<std::string, std::string> fields;
  for (const Verdict& verdict : results.verdicts) {
    if (is_counted(verdict.status)) fields[verdict.id] = csv_number(verdict.points);
  }
  std::string line = csv_number(results.points()) + "," + csv_number(results.max_points());
  for (const std::string& id : exercises_) line += "," + fields[id];
  lines_[student] = line;
}

std::string Gradebook::csv() const {
  std::string text = "id,name,points,max_points";
  for (const std::string& id : exercises_) text += "," + id;
  text += "\n";
  for (const Student& student : students_) {
    const auto line = lines_.find(student.id);
    if (line == lines_.end()) continue;
    text += csv_field(student.id) + "," + csv_field(student.name) + "," + line->second + "\n";
  }
  return text;
}

}  // namespace grader
