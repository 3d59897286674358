// SPDX-License-Identifier: MIT
// The whole: from a policy and stored results to tables and pages.
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
  std::vector<Change> changes;  ///< against the run before; empty at the first
  bool first = false;
  std::vector<std::string> problems;
  std::vector<std::string> files;  ///< written, relative to out
};

/// Applies the policy to what batches stored and writes out/book.csv, canvas.csv and moodle.csv
/// (where the class list has their columns), statistics.csv, dashboard.html, students/ID.html,
/// changes.csv (against the run before) and book.json, of which the run before is kept as
/// book.before.json. Judges nothing, and can be run again at any time.
/// @throws std::runtime_error naming the file for anything that cannot be read or written.
BookSummary write_book(const BookOptions& options, const std::vector<grader::Topic>& topics);

}  // namespace term
