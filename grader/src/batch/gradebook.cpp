// SPDX-License-Identifier: MIT
// Reads class lists, and writes the gradebook.
#include "grader/batch/gradebook.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/text.hpp"
#include "grader/batch/class_list.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

int version_of(const std::string& text, const std::string& place) {
  if (text.empty()) return 0;
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size() || version < 1) {
    throw std::runtime_error(place + "variant-version must be a whole number of at least 1");
  }
  return version;
}

/// Columns that the course reads; a class list may have others.
constexpr std::array kColumns = {
    "id",        "name",      "email",  "submission", "variant-version",
    "moodle-id", "canvas-id", "sis-id", "login",      "section"};
/// Columns by which a platform finds a student: values must be unique.
constexpr std::array kKeys = {"email", "moodle-id", "canvas-id", "sis-id", "login"};

/// Letters only: "E-Mail" equals "email", and "canvas id" equals "canvas-id".
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return letters;
}

/// A column whose name nearly matches one of ours would be ignored silently.
void require_exact_names(const ListRow& row) {
  for (const auto& [name, field] : row.fields) {
    for (const std::string_view known : kColumns) {
      if (name == known || letters_of(name) != letters_of(known)) continue;
      throw std::runtime_error(row.place + "the column \"" + name + "\" is called " +
                               std::string(known) + " here; rename it in the header");
    }
  }
}

/// Records whose each key is. @throws std::runtime_error if another student has the same.
void claim_keys(const ListRow& row, std::map<std::string, std::string>& owners) {
  for (const std::string key : kKeys) {
    const auto field = row.fields.find(key);
    if (field == row.fields.end() || field->second.empty()) continue;
    const std::string value = base::lower_case(field->second);
    const auto [owner, is_new] = owners.try_emplace(key + " " + value, row.fields.at("id"));
    if (is_new) continue;
    throw std::runtime_error(row.place + key + " " + field->second + " is also " + owner->second +
                             "'s; a platform would give the marks of both to one of them");
  }
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
  std::map<std::string, std::string> owners;
  for (ListRow& row : read_list(file, {"id"})) {
    require_exact_names(row);
    const std::string id = row.fields.at("id");
    if (id.empty()) throw std::runtime_error(row.place + "no id");
    claim_keys(row, owners);
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
  double not_judged = 0;  // maximum of what the grader itself failed to judge
  for (const Verdict& verdict : results.verdicts) {
    if (verdict.status == Status::kError) {
      not_judged += verdict.max_points;
    } else if (is_counted(verdict.status)) {
      fields[verdict.id] = csv_number(verdict.points);
    }
  }
  std::string line =
      csv_number(results.points()) + "," + csv_number(results.max_points() - not_judged);
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
