// SPDX-License-Identifier: MIT
// A policy applied to a class's verdicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/batch/gradebook.hpp"
#include "grader/report/report.hpp"
#include "term/policy.hpp"

namespace term {

/// One exercise of the submission that counts.
struct ExercisePoints {
  std::string id;
  double points = 0;
  double max_points = 0;
  /// False if the grader could not decide (noise, no GPU, its own failure): neither lost nor
  /// gained.
  bool counted = true;
  std::string why;      ///< the verdict's sentence, or who changed the points and why
  bool tried = true;    ///< false for the unchanged starter, or nothing
  std::string mistake;  ///< the misconception that the grader saw, in the exercise's words
  int tries = 0;        ///< of the submissions of the assignment, those that tried it
  double seconds = 0;   ///< that judging it took
};

/// One student's share of one assignment.
struct AssignmentScore {
  std::string name;
  double weight = 1;
  bool collected = false;  ///< false: there are no results yet, it counts for nobody
  bool excused = false;
  bool dropped = false;
  std::string submission;  ///< folder of the results that count; empty when nothing was handed in
  std::optional<Time> handed_in;
  std::chrono::minutes offset{0};  ///< of the clock that times are printed by, from UTC
  int days_late = 0;               ///< begun days after the student's own deadline
  int free_days = 0;               ///< of these, taken from the free late days
  double penalty = 0;              ///< share of the points that the others cost, 0 to 1
  std::vector<ExercisePoints> exercises;
  std::vector<std::string> unread;  ///< as grader::Results::unread; a person has to look at it
  std::vector<std::string> notes;   ///< extensions, overrides, excuses; what is still open

  double points() const;      ///< before the penalty
  double max_points() const;  ///< of what was counted
  /// Share of the points after the penalty, 0 to 1.
  double share() const;
  /// True where the grader decided no exercise of what was handed in: nothing is lost by it.
  bool is_undecided() const { return collected && max_points() <= 0; }
  /// True where it is part of the total.
  bool counts() const { return collected && !excused && !dropped && !is_undecided(); }
};

struct Standing {
  grader::Student student;
  std::vector<AssignmentScore> assignments;  ///< in the policy's order
  int late_days_left = 0;
  /// Weighted mean of the shares that count, 0 to 1; nothing when none does.
  std::optional<double> total() const;
};

/// A class under a policy.
struct Term {
  std::vector<Standing> standings;  ///< in the roster's order
  /// What a person should look at: results of nobody on the roster, hand-ins that cannot be read,
  /// verdicts to be judged again, exercises that no batch judged.
  std::vector<std::string> problems;
};

/// Reads the results that the policy names. An exercise without a verdict earns 0. A submission
/// whose verdicts all say that nothing was handed in does not count as one.
/// @throws std::runtime_error for files that cannot be read, for a submission without a time, and
/// for a decision about somebody who is not on the roster.
Term score(const Policy& policy, const std::vector<grader::Topic>& topics,
           const std::vector<grader::Student>& roster);

}  // namespace term
