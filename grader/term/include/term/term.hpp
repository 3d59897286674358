// SPDX-License-Identifier: MIT
// The whole process: from a policy and stored results to tables and pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "term/changes.hpp"

namespace term {

struct BookOptions {
  std::filesystem::path policy;
  std::filesystem::path roster;
  std::filesystem::path root;  ///< the checkout, for the course's exercises
  std::filesystem::path out;
};

struct BookSummary {
  std::size_t students = 0;
  std::vector<Change> changes;  ///< since the previous run; empty after the first
  bool first = false;
  std::vector<std::string> problems;
  std::vector<std::string> files;  ///< written, relative to out
};

/// Applies the policy to the stored results of batches and writes out/book.csv, canvas.csv and
/// moodle.csv (if the class list has their columns), statistics.csv, dashboard.html,
/// students/ID.html, changes.csv (since the previous run) and book.json. The previous run's is kept
/// as book.before.json. Judges nothing, and can be repeated at any time.
/// @throws std::runtime_error naming the file for anything that cannot be read or written.
BookSummary write_book(const BookOptions& options, const std::vector<grader::Topic>& topics);

}  // namespace term
