// SPDX-License-Identifier: MIT
// Medians, correlations and counts.
#include "term/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "percent.hpp"

namespace term {
namespace {

/// One student's points of an exercise, and of the rest of the assignment.
struct Pair {
  double own = 0;
  double rest = 0;
};

double mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> correlation(const std::vector<Pair>& pairs) {
  if (pairs.size() < 3) return std::nullopt;
  Pair mean;
  for (const Pair& pair : pairs) {
    mean.own += pair.own / static_cast<double>(pairs.size());
    mean.rest += pair.rest / static_cast<double>(pairs.size());
  }
  double both = 0;
  double own = 0;
  double rest = 0;
  for (const Pair& pair : pairs) {
    both += (pair.own - mean.own) * (pair.rest - mean.rest);
    own += (pair.own - mean.own) * (pair.own - mean.own);
    rest += (pair.rest - mean.rest) * (pair.rest - mean.rest);
  }
  constexpr double kNothing = 1e-12;  // rounding error of equal numbers
  if (own < kNothing || rest < kNothing) return std::nullopt;
  return both / std::sqrt(own * rest);
}

/// Collects one exercise's numbers.
struct Gathered {
  std::vector<Pair> pairs;
  std::vector<double> shares;
  std::vector<double> tries;
  std::vector<double> seconds;
  std::map<std::string, int> mistakes;
  int solved = 0;
  int untried = 0;

  void add(const ExercisePoints& exercise, const AssignmentScore& score) {
    if (!exercise.counted || exercise.max_points <= 0) return;
    pairs.push_back({exercise.points, score.points() - exercise.points});
    shares.push_back(exercise.points / exercise.max_points);
    if (exercise.tries > 0) {
      tries.push_back(exercise.tries);
      seconds.push_back(exercise.seconds);
    }
    if (exercise.points == exercise.max_points) ++solved;
    if (!exercise.tried) ++untried;
    if (!exercise.mistake.empty()) ++mistakes[exercise.mistake];
  }

  ExerciseStatistics result(const std::string& id, const std::string& assignment) const {
    ExerciseStatistics all;
    all.id = id;
    all.assignment = assignment;
    all.students = static_cast<int>(pairs.size());
    all.solved = solved;
    all.untried = untried;
    all.tries = mean(tries);
    all.median_share = median(shares);
    all.median_seconds = median(seconds);
    all.discrimination = correlation(pairs);
    for (const auto& [message, count] : mistakes) {
      all.mistakes.push_back({message, count});
    }
    std::stable_sort(
        all.mistakes.begin(), all.mistakes.end(),
        [](const CommonMistake& a, const CommonMistake& b) { return a.students > b.students; });
    return all;
  }
};

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<ExerciseStatistics> statistics(const Policy& policy,
                                           const std::vector<Standing>& standings) {
  std::vector<ExerciseStatistics> all;
  for (std::size_t i = 0; i < policy.assignments.size(); ++i) {
    const Assignment& assignment = policy.assignments[i];
    if (assignment.submissions.empty()) continue;
    std::map<std::string, Gathered> gathered;
    for (const Standing& standing : standings) {
      const AssignmentScore& score = standing.assignments.at(i);
      if (score.submission.empty()) continue;
      for (const ExercisePoints& exercise : score.exercises) {
        gathered[exercise.id].add(exercise, score);
      }
    }
    for (const std::string& id : assignment.exercises) {
      all.push_back(gathered[id].result(id, assignment.name));
    }
  }
  return all;
}

std::string statistics_csv(const std::vector<ExerciseStatistics>& all) {
  std::string text =
      "exercise,assignment,students,solved,untried,tries,median_percent,median_seconds,"
      "discrimination,mistakes\n";
  for (const ExerciseStatistics& one : all) {
    std::string mistakes;
    for (const CommonMistake& mistake : one.mistakes) {
      mistakes +=
          fmt::format("{}{}: {}", mistakes.empty() ? "" : " | ", mistake.students, mistake.message);
    }
    text += fmt::format("{},{},{},{},{},{:.4g},{:.4g},{:.3g},{},{}\n", one.id,
                        grader::csv_field(one.assignment), one.students, one.solved, one.untried,
                        one.tries, kPercent * one.median_share, one.median_seconds,
                        one.discrimination ? fmt::format("{:.3f}", *one.discrimination) : "",
                        grader::csv_field(mistakes));
  }
  return text;
}

}  // namespace term
