// SPDX-License-Identifier: MIT
// How a class did, exercise by exercise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "term/score.hpp"

namespace term {

/// A mistake, listed or found by the grader, and how many students made it.
struct CommonMistake {
  std::string message;  ///< the misconception's sentence
  int students = 0;
};

/// One exercise, over the students who handed in something and whose verdict on it counts.
struct ExerciseStatistics {
  std::string id;
  std::string assignment;
  int students = 0;
  int solved = 0;    ///< all points
  int untried = 0;   ///< no points, and the unchanged starter or nothing there
  double tries = 0;  ///< mean number of submissions with an attempt, over the students who tried it
  double median_share = 0;    ///< of the points, 0 to 1
  double median_seconds = 0;  ///< to judge it once
  /// Pearson correlation of the points with the rest of the assignment's points. If it is near 0 or
  /// negative, the exercise does not separate students by what they know. Nothing if all have the
  /// same points.
  std::optional<double> discrimination;
  std::vector<CommonMistake> mistakes;  ///< the most usual first
};

/// The middle value; for an even number of values the mean of the middle two; 0 if empty.
double median(std::vector<double> values);

/// The statistics of every collected exercise, in the policy's order.
std::vector<ExerciseStatistics> statistics(const Policy& policy,
                                           const std::vector<Standing>& standings);

/// CSV with one line per exercise.
std::string statistics_csv(const std::vector<ExerciseStatistics>& all);

}  // namespace term
