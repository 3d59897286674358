// SPDX-License-Identifier: MIT
// A course's rules for points, in one TOML file, which alone decides what verdicts are worth.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "term/times.hpp"

namespace term {

/// Which of several submissions of an assignment counts.
enum class Counting { kBest, kLast, kFirst };

/// What one `grader batch` judged, and when it was handed in.
struct Collection {
  std::filesystem::path results;  ///< the batch's folder --out
  std::optional<Time> handed_in;  ///< for everybody whom `times` does not name
  std::filesystem::path times;    ///< a list for read_times(); empty when there is none
};

struct Assignment {
  std::string name;
  std::vector<std::string> exercises;  ///< ids of the course, in its order
  Time deadline;
  std::chrono::minutes offset{0};  ///< of the deadline's clock from UTC; times are printed in it
  double weight = 1;               ///< against the other assignments
  std::vector<Collection> submissions;  ///< empty: not collected yet, counts for nobody
};

/// A decision about one student. `by` and `reason` are printed wherever it has an effect.
struct Decision {
  std::string student;
  std::string reason;
  std::string by;
};

/// A later deadline. Exactly one of `days` and `until` is set.
struct Extension : Decision {
  std::string assignment;
  std::optional<int> days;
  std::optional<Time> until;
};

/// An assignment that does not count for the student.
struct Excuse : Decision {
  std::string assignment;
};

/// Points of an exercise that hold whatever the grader says, now and after every regrade.
struct Override : Decision {
  std::string exercise;
  double points = 0;
};

struct Policy {
  std::string course;
  Counting count = Counting::kBest;
  int late_days = 0;              ///< free late days of a student, over all assignments
  double late_penalty = 1;        ///< share of an assignment's points that each further day costs
  std::optional<int> late_limit;  ///< anything handed in later than this does not count
  int drop_lowest = 0;            ///< assignments that are left out, a student's lowest
  /// Options of sbatch for the nodes on which exercises are timed, such as --exclusive.
  std::vector<std::string> timed_nodes;
  std::vector<Assignment> assignments;
  std::vector<Extension> extensions;
  std::vector<Excuse> excuses;
  std::vector<Override> overrides;
};

/// Whether the results that a policy names have to be there: a batch reads the policy before.
enum class Stored { kNeeded, kNotYet };

/// Reads a policy; docs/pages/instructor_guide.md lists its keys. Folders and files in it are
/// relative to it. @throws std::runtime_error with file, line and what to write instead: an unknown
/// key, a rule that names no assignment or exercise of the course, a decision that does not say who
/// made it and why, a rule that would have no effect, two decisions about the same.
Policy read_policy(const std::filesystem::path& file, const std::vector<grader::Topic>& topics,
                   Stored stored = Stored::kNeeded);

/// The policy in sentences, as every report prints it.
std::vector<std::string> in_words(const Policy& policy);

}  // namespace term
