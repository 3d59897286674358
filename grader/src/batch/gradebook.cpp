// SPDX-License-Identifier: MIT
// CSV in, CSV out.
#include "grader/batch/gradebook.hpp"

#include <charconv>
#include <set>
#include <stdexcept>

#include "grader/batch/class_list.hpp"

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

std::vector<std::string> submission_names(const Student& student) {
  std::vector<std::string> names = {student.id};
  const auto other = student.columns.find("submission");
  if (other != student.columns.end() && !other->second.empty() && other->second != student.id) {
    names.push_back(other->second);
  }
  return names;
}

std::vector<Student> read_roster(const fs::path& file) {
  std::vector<Student> students;
  std::set<std::string> seen;
  for (ListRow& row : read_list(file, {"id"})) {
    const std::string id = row.fields.at("id");
    if (id.empty()) throw std::runtime_error(row.place + "no id");
    const int version = version_of(row.fields["variant-version"], row.place);
    students.push_back({id, row.fields["name"], version, std::move(row.fields)});
    for (const std::string& name : submission_names(students.back())) {
      if (seen.insert(name).second) continue;
      throw std::runtime_error(row.place + (name == id ? "id" : "submission \"" + name + "\"") +
                               " used twice");
    }
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
