// SPDX-License-Identifier: MIT
// The results of a batch on disk: one JSON file and one page for each student.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/report/report.hpp"

namespace grader {

/// A student's id as a file name, with characters replaced that could lead out of the folder.
std::string student_file_name(const std::string& student);

/// The verdicts on every attempt of a student, in order, if a batch judged several: the file
/// attempts/ID.json of its folder `out`. Empty if it judged one, or nothing.
/// @throws std::runtime_error for a file in another format.
std::vector<Results> read_attempts(const std::filesystem::path& out, const std::string& student);

/// A batch's findings about a student.
struct Judged {
  Results results;                ///< of the attempt that counts
  std::vector<Results> attempts;  ///< all of them, if several were judged
  bool is_kept = false;           ///< from an earlier run: nothing was judged
};

/// The folders results/, attempts/ and reports/ of a batch. Threads may share one object if each
/// works on its own students.
class ResultFiles {
 public:
  explicit ResultFiles(std::filesystem::path out);

  /// The students with earlier() results, except those in `known`.
  std::vector<std::string> students_besides(const std::set<std::string>& known) const;
  /// Results of an earlier run; nothing if there are none, or if another version wrote them.
  std::optional<Results> earlier(const std::string& student) const;
  /// The same for all attempts; none if there are none, or if another version wrote them.
  std::vector<Results> earlier_attempts(const std::string& student) const;
  /// @throws std::runtime_error naming a file of the student that exists but that earlier() or
  /// earlier_attempts() cannot read.
  void require_readable(const std::string& student) const;
  /// True when an earlier run judged the same work (Results::key) and no attempt of it was left
  /// undecided by noise or by the course's own mistake.
  bool is_done(const std::string& student, const std::string& key) const;
  /// True if the student's stored result equals this one, except for the time it was found.
  bool holds(const Results& results) const;
  /// Copies results/ and attempts/ to before/, replacing what was there. Does nothing if there are
  /// no results yet.
  void back_up() const;
  /// Rewrites the student's page if its content has changed (other rules, another name).
  void refresh_page(const std::string& student, const PageFacts& facts) const;
  /// Writes a student's files. Returns what differences() says about it compared with the earlier
  /// result, or nothing if there was none.
  std::string write(const Judged& judged, const PageFacts& facts) const;

 private:
  std::filesystem::path result_file(const std::string& student) const;
  std::filesystem::path page_file(const std::string& student) const;

  std::filesystem::path out_;
};

/// The differences between the --out folders of two batches, one line per student: points ("anna: 3
/// -> 2 points (02.saxpy.kernel 3 -> 2)"), exercises that are new, gone or no longer counted, and
/// results that exist in only one of them.
/// @throws std::runtime_error for a folder that no batch wrote, and for results that cannot be
/// read.
std::vector<std::string> differences(const std::filesystem::path& before,
                                     const std::filesystem::path& after);

}  // namespace grader
