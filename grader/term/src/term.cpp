// SPDX-License-Identifier: MIT
// Reads, scores, writes.
#include "term/term.hpp"

#include <stdexcept>

#include "base/files.hpp"
#include "grader/batch/result_files.hpp"
#include "term/dashboard.hpp"
#include "term/statistics.hpp"
#include "term/store.hpp"
#include "term/student_page.hpp"
#include "term/tables.hpp"

namespace term {

namespace fs = std::filesystem;

namespace {

/// Does not touch pages of students without changes. A page that is lost in a crash is rewritten by
/// the next run.
void write_changed(const fs::path& file, const std::string& content) {
  if (fs::exists(file) && base::read_file(file) == content) return;
  base::write_file_quickly(file, content);
}

}  // namespace

BookSummary write_book(const BookOptions& options, const std::vector<grader::Topic>& topics) {
  const Policy policy = read_policy(options.policy, topics);
  const std::vector<grader::Student> roster = grader::read_roster(options.roster);
  Term term = score(policy, topics, roster);
  const auto canvas = canvas_csv(term.standings);
  const auto moodle = moodle_csv(term.standings);
  for (const auto* table : {&canvas, &moodle}) {
    if (!*table) continue;
    term.problems.insert(term.problems.end(), (*table)->problems.begin(), (*table)->problems.end());
  }

  BookSummary summary;
  summary.students = roster.size();
  summary.problems = term.problems;
  const fs::path store = options.out / "book.json";
  summary.first = !fs::exists(store);
  std::string before;
  if (!summary.first) {
    before = base::read_file(store);
    try {
      summary.changes = changes_between(parse_stored(before), term.standings);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(store.string() + " cannot be compared with: " + error.what() +
                               "; move it away to begin a new book");
    }
  }

  fs::create_directories(options.out / "students");
  const auto write = [&](const std::string& name, const std::string& content) {
    base::write_file_atomically(options.out / name, content);
    summary.files.push_back(name);
  };
  const std::vector<ExerciseStatistics> exercises = statistics(policy, term.standings);
  write("book.csv", book_csv(term.standings));
  if (canvas) write("canvas.csv", canvas->text);
  if (moodle) write("moodle.csv", moodle->text);
  write("statistics.csv", statistics_csv(exercises));
  write("dashboard.html", dashboard(policy, term, exercises));
  for (const Standing& standing : term.standings) {
    write_changed(
        options.out / "students" / (grader::student_file_name(standing.student.id) + ".html"),
        student_page(policy, standing));
  }
  write("changes.csv", changes_csv(summary.changes));
  if (!summary.first) write("book.before.json", before);
  write("book.json",
        stored(term.standings));  // last, so that the next run compares with complete results
  return summary;
}

}  // namespace term
