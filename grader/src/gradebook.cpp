// SPDX-License-Identifier: MIT
// CSV in, CSV out.
#include "grader/gradebook.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string_view>

#include "grader/text.hpp"

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

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Where the columns of a class list stand. Spreadsheets of half the world write ; between fields.
struct Columns {
  Columns(const fs::path& file, std::string_view header) {
    for (const char other : {';', '\t'}) {
      if (header.find(',') == std::string_view::npos &&
          header.find(other) != std::string_view::npos)
        separator = other;
    }
    std::vector<std::string> names = csv_fields(std::string(header), separator);
    for (std::string& field : names) {
      field = trimmed(field);
      std::transform(field.begin(), field.end(), field.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    }
    const auto column = [&](const char* wanted) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) -
                                      names.begin());
    };
    id = column("id");
    name = column("name");
    version = column("variant-version");
    if (id == names.size()) {
      throw std::runtime_error(file.string() + ":1: the header has no column id");
    }
  }

  char separator = ',';
  std::size_t id = 0, name = 0, version = 0;  ///< past the last field where there is none
};

}  // namespace

std::vector<Student> read_roster(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) throw std::runtime_error("cannot read " + file.string());
  const Columns columns(file, without_byte_order_mark(line));
  std::vector<Student> students;
  std::set<std::string> seen;
  for (int number = 2; std::getline(in, line); ++number) {
    const std::string place = file.string() + ":" + std::to_string(number) + ": ";
    if (!is_utf8(line)) throw std::runtime_error(place + "not UTF-8; save the list as UTF-8");
    const std::vector<std::string> fields = csv_fields(line, columns.separator);
    if (fields.size() == 1 && fields[0].empty()) continue;
    const std::string id = columns.id < fields.size() ? trimmed(fields[columns.id]) : "";
    if (id.empty()) throw std::runtime_error(place + "no id");
    if (!seen.insert(id).second) throw std::runtime_error(place + "id used twice");
    students.push_back(
        {id, columns.name < fields.size() ? trimmed(fields[columns.name]) : "",
         columns.version < fields.size() ? version_of(fields[columns.version], place) : 0});
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
