// SPDX-License-Identifier: MIT
// Decides a race from its legs.
#include "grader/timing/race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace grader {
namespace {

/// If this many legs all earn full points, or all none, the race ends. Anything in between is
/// confirmed by more legs.
constexpr std::size_t kLegsForAll = 3;
constexpr std::size_t kLegsForPart = 6;
/// Noisy scores may agree at their upper end by luck. So a few legs are believed only if their
/// ratios differ by no more than this factor ...
constexpr double kSteadyFactor = 1.06;
/// More legs are trusted only if their mean is this many standard errors above a program that takes
/// kClearlySlower times as long as full points allow.
constexpr double kStandardErrors = 5;
constexpr double kClearlySlower = 1.35;
constexpr std::size_t kMostLegs = 12;
/// A single leg that reuses results or is impossibly fast may be an accident. If only one leg does,
/// the median does not change.
constexpr std::size_t kLegsThatRefuse = 2;

}  // namespace

double speed_score(const SpeedExercise& exercise, double worth) {
  const double zero = exercise.zero_ratio / exercise.full_ratio;
  const double share = std::clamp((worth - zero) / (1 - zero), 0.0, 1.0);
  return std::round(share / kStep) * kStep;
}

Race::Race(const SpeedExercise& exercise, std::optional<double> shortest)
    : exercise_(&exercise), shortest_(shortest) {}

void Race::add(const LegTimes& leg) {
  legs_.push_back(leg);
}

std::vector<double> Race::all(double LegTimes::*figure) const {
  std::vector<double> figures;
  for (const LegTimes& leg : legs_) figures.push_back(leg.*figure);
  return figures;
}

double Race::worth_of(const LegTimes& leg) const {
  const double by_ratio = leg.ratio / exercise_->full_ratio;
  if (exercise_->full_roof <= 0 || !shortest_) return by_ratio;
  return std::max(by_ratio, *shortest_ / leg.seconds / exercise_->full_roof);
}

double Race::paid_worth_of(const LegTimes& leg) const {
  return worth_of(leg) * std::min(1.0, kMostPaidOverFresh / leg.slower_on_fresh);
}

bool Race::is_held_back(const LegTimes& leg) const {
  return speed_score(*exercise_, paid_worth_of(leg)) < speed_score(*exercise_, worth_of(leg));
}

Interval Race::scores() const {
  std::vector<double> scores;
  for (const LegTimes& leg : legs_) scores.push_back(speed_score(*exercise_, paid_worth_of(leg)));
  return median_interval(std::move(scores));
}

bool Race::is_steady() const {
  if (legs_.size() < kLegsForPart) {
    const std::vector<double> ratios = all(&LegTimes::ratio);
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    return *most <= kSteadyFactor * *least;
  }
  const auto n = static_cast<double>(legs_.size());
  double sum = 0;
  double squares = 0;
  for (const LegTimes& leg : legs_) {
    const double worth = std::log(worth_of(leg));
    sum += worth;
    squares += worth * worth;
  }
  const double variance = std::max(0.0, (squares - sum * sum / n) / (n - 1));
  return sum / n - kStandardErrors * std::sqrt(variance / n) > -std::log(kClearlySlower);
}

bool Race::is_over() const {
  if (legs_.size() < kLegsForAll) return false;
  if (legs_.size() >= kMostLegs || kept_results()) return true;
  if (legs_.size() >= kLegsForPart) return is_decided();
  const bool may_keep = std::any_of(legs_.begin(), legs_.end(), [](const LegTimes& leg) {
    return leg.slower_on_fresh > kMostSlowerOnFresh;
  });
  const Interval score = scores();
  return !may_keep && (score.high <= 0 || (score.low >= 1 && is_steady()));
}

std::optional<double> Race::kept_results() const {
  double least = std::numeric_limits<double>::infinity();
  std::size_t legs = 0;
  for (const LegTimes& leg : legs_) {
    if (leg.slower_on_fresh <= kMostSlowerOnFresh) continue;
    least = std::min(least, leg.slower_on_fresh);
    ++legs;
  }
  if (legs < kLegsThatRefuse) return std::nullopt;
  return least;
}

bool Race::is_impossible() const {
  if (!shortest_) return false;
  // Roofs measured on a busy machine are too low; the reference beats them too in that case.
  const auto impossible = std::count_if(legs_.begin(), legs_.end(), [&](const LegTimes& leg) {
    return leg.seconds * kRoofMargin < *shortest_ && leg.ratio > kRoofMargin;
  });
  return static_cast<std::size_t>(impossible) >= kLegsThatRefuse;
}

bool Race::is_decided() const {
  const Interval score = scores();
  if (score.high >= 1 && !is_steady()) return false;
  return score.high - score.low <= 2 * kStep + 1e-9;
}

double Race::score() const {
  return scores().high;
}

Interval Race::ratio() const {
  return median_interval(all(&LegTimes::ratio));
}

double Race::seconds() const {
  return median_interval(all(&LegTimes::seconds)).median;
}

std::optional<double> Race::roof_fraction() const {
  if (!shortest_) return std::nullopt;
  return *shortest_ / seconds();
}

}  // namespace grader
