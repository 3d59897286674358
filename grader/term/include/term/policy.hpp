// SPDX-License-Identifier: MIT
// A course's rules for points, in one TOML file. Nothing else decides what verdicts are worth.
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

/// The results of one `grader batch`, and when its submissions were handed in.
struct Collection {
  std::filesystem::path results;  ///< the batch's folder --out
  std::optional<Time> handed_in;  ///< for everybody who is not in `times`
  std::filesystem::path times;    ///< a list for read_times(); empty when there is none
};

struct Assignment {
  std::string name;
  std::vector<std::string> exercises;  ///< ids of exercises of the course, in its order
  Time deadline;
  std::chrono::minutes offset{0};       ///< UTC offset of the deadline, for printing times
  double weight = 1;                    ///< relative to the other assignments
  std::vector<Collection> submissions;  ///< empty: not collected yet, counts for nobody
};

/// A decision about one student. `by` and `reason` are printed wherever it takes effect.
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

/// Fixed points for an exercise, whatever the grader says, now and after every regrade.
struct Override : Decision {
  std::string exercise;
  double points = 0;
};

struct Policy {
  std::string course;
  Counting count = Counting::kBest;
  int late_days = 0;              ///< free late days per student, over all assignments
  double late_penalty = 1;        ///< share of an assignment's points that each further day costs
  std::optional<int> late_limit;  ///< anything handed in later than this does not count
  int drop_lowest = 0;            ///< number of each student's lowest assignments to drop
  /// sbatch options for the nodes on which exercises are timed, such as --exclusive.
  std::vector<std::string> timed_nodes;
  std::vector<Assignment> assignments;
  std::vector<Extension> extensions;
  std::vector<Excuse> excuses;
  std::vector<Override> overrides;
};

/// Whether the results in a policy must exist: a batch reads the policy before they do.
enum class Stored { kNeeded, kNotYet };

/// Reads a policy; docs/pages/instructor_guide.md lists its keys. Paths in it are relative to its
/// folder.
/// @throws std::runtime_error with file, line and what to write instead, for an unknown key, a rule
/// for an assignment or exercise that the course does not have, a decision without author and
/// reason, a rule without effect, and two decisions about the same thing.
Policy read_policy(const std::filesystem::path& file, const std::vector<grader::Topic>& topics,
                   Stored stored = Stored::kNeeded);

/// The policy in sentences, as printed in every report.
std::vector<std::string> in_words(const Policy& policy);

}  // namespace term
