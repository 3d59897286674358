// SPDX-License-Identifier: MIT
// How a class did, exercise by exercise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "term/score.hpp"

namespace term {

/// A mistake, listed or found by the grader itself, and how many students made it.
struct CommonMistake {
  std::string message;  ///< the misconception's sentence
  int students = 0;
};

/// One exercise, over the students whose verdict on it counts and who handed in something.
struct ExerciseStatistics {
  std::string id;
  std::string assignment;
  int students = 0;
  int solved = 0;             ///< all points
  int untried = 0;            ///< no points, and the starter's own message or nothing there
  double tries = 0;           ///< submissions in which it was tried, a mean over who tried it
  double median_share = 0;    ///< of the points, 0 to 1
  double median_seconds = 0;  ///< that judging it once took
  /// Correlation (Pearson) of the points with the rest of the assignment's points: near 0 or below,
  /// the exercise does not tell who knows the subject. Nothing if all have the same points.
  std::optional<double> discrimination;
  std::vector<CommonMistake> mistakes;  ///< the most usual first
};

/// The middle value, of an even number the mean of the two in the middle; 0 of none.
double median(std::vector<double> values);

/// The statistics of every exercise that was collected, in the policy's order.
std::vector<ExerciseStatistics> statistics(const Policy& policy,
                                           const std::vector<Standing>& standings);

/// One line an exercise.
std::string statistics_csv(const std::vector<ExerciseStatistics>& all);

}  // namespace term
