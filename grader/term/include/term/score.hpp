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
  /// False if the grader could not decide (noise, no GPU, its own failure): nothing is lost or
  /// gained.
  bool counted = true;
  std::string why;      ///< the verdict's sentence, or who changed the points and why
  bool tried = true;    ///< false for an unchanged starter, or nothing
  std::string mistake;  ///< the misconception that the grader saw, in the exercise's words
  int tries = 0;        ///< number of the assignment's submissions that tried it
  double seconds = 0;   ///< judging time
};

/// One student's share of one assignment.
struct AssignmentScore {
  std::string name;
  double weight = 1;
  bool collected = false;  ///< false: there are no results yet, so it does not count for anybody
  bool excused = false;
  bool dropped = false;
  std::string submission;  ///< folder of the results that count; empty when nothing was handed in
  std::optional<Time> handed_in;
  std::chrono::minutes offset{0};  ///< UTC offset for printing times
  int days_late = 0;               ///< days, rounded up, after the student's own deadline
  int free_days = 0;               ///< of these, covered by free late days
  double penalty = 0;              ///< share of the points that the remaining days cost, 0 to 1
  std::vector<ExercisePoints> exercises;
  std::vector<std::string> unread;  ///< as grader::Results::unread; a person has to look at it
  std::vector<std::string> notes;   ///< extensions, overrides, excuses, and open questions

  double points() const;      ///< before the penalty
  double max_points() const;  ///< of the counted exercises
  /// Share of the points after the penalty, 0 to 1.
  double share() const;
  /// True if the grader could decide no exercise of the hand-in: it then costs nothing.
  bool is_undecided() const { return collected && max_points() <= 0; }
  /// True if it is part of the total.
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
  /// What a person should look at: results that match nobody on the roster, hand-ins that cannot be
  /// read, verdicts to be judged again, and exercises that no batch judged.
  std::vector<std::string> problems;
};

/// Reads the results that the policy names. An exercise without a verdict earns 0. A submission
/// does not count if all of its verdicts say that nothing was handed in.
/// @throws std::runtime_error for files that cannot be read, for a submission without a time, and
/// for a decision about somebody who is not on the roster.
Term score(const Policy& policy, const std::vector<grader::Topic>& topics,
           const std::vector<grader::Student>& roster);

}  // namespace term
