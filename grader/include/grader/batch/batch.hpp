// SPDX-License-Identifier: MIT
// A whole class: every submission graded in the sandbox, in parallel, resumable.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/attempts.hpp"
#include "grader/batch/gradebook.hpp"
#include "grader/batch/similarity.hpp"
#include "grader/batch/submission.hpp"
#include "grader/program/sandbox.hpp"
#include "grader/report/report.hpp"

namespace grader {

/// Which exercises a batch judges: all, only those whose verdict depends on a clock (is_timed()),
/// or none of those.
enum class Timed { kAll, kOnly, kNone };

/// "all", "only" or "none".
std::string_view name_of(Timed timed);

struct BatchOptions {
  std::filesystem::path submissions;
  std::filesystem::path root;
  std::filesystem::path build;
  std::filesystem::path out;
  std::filesystem::path roster;        ///< empty: the submissions are the class
  std::vector<std::string> exercises;  ///< ids or prefixes of ids; all when empty
  Timed timed = Timed::kAll;           ///< applied to these exercises
  std::string secret;                  ///< of variants; empty for canonical numbers
  int variant_version = 1;
  std::string class_name;                ///< everybody has the numbers of this class's handout
  Attempt attempt = Attempt::kLast;      ///< which one counts if a student handed in several times
  std::string course = "Roofline Labs";  ///< printed on every student's page
  std::vector<std::string> rules;        ///< of the course, printed on every student's page
  int jobs = 2;
  /// This batch grades the students at positions slice, slice + slices ... of the list, from 0.
  int slice = 0;
  int slices = 1;
  /// The --out folders of other batches. Their results for the same work are reused.
  std::vector<std::filesystem::path> take;
  /// Where batches that run at the same time share compiled headers and the verdicts on programs of
  /// the same content; `out` when empty.
  std::filesystem::path shared;
  Isolation isolation = Isolation::kSandbox;
  std::uint64_t seed = 0;  ///< of generated inputs; 0 draws a new one each run
  /// Called after every submission: done, total, seconds left.
  std::function<void(std::size_t, std::size_t, double)> progress;
};

/// A summary of what a batch did.
struct BatchSummary {
  std::size_t graded = 0;
  std::size_t reused = 0;    ///< same content, same exercises: the earlier result was reused
  std::size_t missing = 0;   ///< on the roster, but nothing handed in
  std::size_t kept = 0;      ///< nothing readable among these hand-ins, so the stored results stay
  std::size_t compiled = 0;  ///< programs
  std::size_t shared = 0;    ///< verdicts taken from work of the same content
  std::size_t alike = 0;     ///< pairs in out/similarity.csv
  std::vector<IdenticalWork> identical;
  std::vector<std::string> changes;  ///< "ID: old -> new points", compared with the earlier results
  /// What a person should look at, by student: skipped files, and names that match nobody on the
  /// roster.
  std::vector<std::pair<std::string, std::string>> problems;
  std::vector<std::string> troubles;  ///< the grader's own failures; these results do not count
  double seconds = 0;
};

/// Grades every submission. out/results/ID.json, out/attempts/ID.json (if several attempts were
/// judged), out/reports/ID.html, out/gradebook.csv, out/problems.csv, out/similarity.csv (pairs of
/// submissions that look alike) and out/identical.csv are always complete files. A batch of some
/// exercises keeps the stored verdicts on the others, and a batch of some students keeps the stored
/// results of the rest: a student with nothing among these hand-ins keeps the earlier results and
/// is listed among the problems. The state before the first changed result is kept in out/before.
///
/// The gradebook is written after every submission, so a killed run keeps everything done until
/// then; the next one continues there. Programs of the same content are compiled and judged once
/// (shared/known). A submission that cannot be read has a result that says so, and does not affect
/// the others. What the grader itself could not do (a full disk, a broken sandbox) is status error
/// in the results, is judged again by the next run, and is a line of BatchSummary::troubles.
/// @throws std::runtime_error when another batch writes to the same folder, and, before anything is
/// judged, when it would have to keep results that it cannot read.
BatchSummary run_batch(const BatchOptions& options);

}  // namespace grader
