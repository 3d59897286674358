// SPDX-License-Identifier: MIT
// Reads what an earlier run wrote, and says what became different.
#include "grader/result_files.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "grader/content.hpp"
#include "grader/text.hpp"
#include "roofline/measurement.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// "02.saxpy.kernel 0 -> 3", of every exercise whose points differ.
std::string changed_exercises(const Results& before, const Results& after) {
  std::map<std::string, double> points;
  for (const Verdict& verdict : before.verdicts) points[verdict.id] = verdict.points;
  std::ostringstream text;
  for (const Verdict& verdict : after.verdicts) {
    const auto earlier = points.find(verdict.id);
    if (earlier == points.end() || earlier->second == verdict.points) continue;
    text << (text.str().empty() ? "" : ", ") << verdict.id << " " << earlier->second << " -> "
         << verdict.points;
  }
  return text.str();
}

std::string change(const Results& before, const Results& after) {
  const std::string what = changed_exercises(before, after);
  if (what.empty()) return "";
  std::ostringstream line;
  line << after.student << ": " << before.points() << " -> " << after.points() << " points ("
       << what << ")";
  return line.str();
}

}  // namespace

std::string student_file_name(const std::string& student) {
  std::string name = utf8_or_escaped(student);
  for (char& c : name) {
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  if (name == "." || name == ".." || name.empty()) name = "_";
  // Two ids may become the same name; a few letters of a hash tell them apart.
  return name == student ? name : name + "-" + sha256(student).substr(0, 8);
}

ResultFiles::ResultFiles(fs::path out, const std::optional<Roofs>& roofs)
    : out_(std::move(out)), roofs_(roofs) {
  for (const char* folder : {"results", "reports"}) fs::create_directories(out_ / folder);
}

fs::path ResultFiles::result_file(const std::string& student) const {
  return out_ / "results" / (student_file_name(student) + ".json");
}

std::optional<Results> ResultFiles::earlier(const std::string& student) const {
  const fs::path file = result_file(student);
  if (!fs::exists(file)) return std::nullopt;
  try {
    return parse_results(read_bytes(file));
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

bool ResultFiles::is_done(const std::string& student, const std::string& key) const {
  const std::optional<Results> before = earlier(student);
  if (!before || !before->complete || before->key != key) return false;
  return std::none_of(before->verdicts.begin(), before->verdicts.end(), [](const Verdict& v) {
    return v.status == Status::kInconclusive || v.status == Status::kError;
  });
}

std::string ResultFiles::write(const Results& results) const {
  const std::optional<Results> before = earlier(results.student);
  roofline::write_file_atomically(result_file(results.student), results_json(results));
  roofline::write_file_atomically(out_ / "reports" / (student_file_name(results.student) + ".html"),
                                  results_html(results, roofs_));
  return before ? change(*before, results) : "";
}

}  // namespace grader
