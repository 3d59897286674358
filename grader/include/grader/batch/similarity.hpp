// SPDX-License-Identifier: MIT
// Which submissions of a class look alike: hints for a person to look at, never a verdict.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace grader {

/// One file of one student.
struct HandedIn {
  std::string student;
  std::string file;  ///< relative to topics/
  std::string text;
};

/// Two students whose versions of a file have much in common. Comments, layout, names and numbers
/// do not count, nor does text that is in the starter or in most submissions.
struct SimilarPair {
  std::string file;
  std::string first;
  std::string second;
  std::size_t shared = 0;       ///< fingerprints in both
  std::size_t first_size = 0;   ///< fingerprints of the first student's own work
  std::size_t second_size = 0;  ///< and of the second's
  /// shared / the smaller of the two sizes
  double similarity() const;
};

/// Thresholds for reporting a pair.
struct SimilarityLimits {
  double similarity = 0.6;
  std::size_t shared = 8;  ///< shorter matches may be chance
};

/// Pairs above the limits, most similar first. `starters` holds, by path, the file that everyone
/// began with. Method: winnowed hashes of token sequences (Schleimer, Wilkerson, Aiken: Winnowing,
/// 2003).
std::vector<SimilarPair> similar_pairs(const std::vector<HandedIn>& class_work,
                                       const std::map<std::string, std::string>& starters,
                                       const SimilarityLimits& limits = {});

/// The pairs as CSV: file,first,second,similarity,shared,first_size,second_size.
std::string similarity_csv(const std::vector<SimilarPair>& pairs);

/// Students whose versions of a file are the same but for comments and layout.
struct IdenticalWork {
  std::string file;
  std::vector<std::string> students;  ///< two or more, sorted
};

/// Groups of identical files, the largest first. A file identical to one of `known` (the starter or
/// the solution, by path) is no evidence of copying and is left out; so are answers, because many
/// students have the right ones.
std::vector<IdenticalWork> identical_work(
    const std::vector<HandedIn>& class_work,
    const std::map<std::string, std::vector<std::string>>& known);

/// The groups as CSV, one line per student: group (a number from 1), file, student.
std::string identical_csv(const std::vector<IdenticalWork>& groups);

}  // namespace grader
