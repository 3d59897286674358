// SPDX-License-Identifier: MIT
// The combined outcome of a race's legs: points, reused results, or that more legs are needed.
#pragma once

#include <optional>
#include <vector>

#include "grader/kind/speed.hpp"
#include "grader/timing/timing.hpp"

namespace grader {

/// The score moves in steps of this fraction of the points. A verdict may be uncertain by two
/// steps.
inline constexpr double kStep = 0.05;

/// Share of the points, in steps, for a speed given as a fraction of the speed that earns all
/// points.
double speed_score(const SpeedExercise& exercise, double worth);

/// Larger than the noise between calls on seen and on unseen inputs. A program that stores and
/// returns results must compute each once, and that call is as slow as the kernel.
inline constexpr double kMostSlowerOnFresh = 2;

/// A leg is paid for no more than this times the speed that it has on unseen inputs: results that
/// are kept and used for a part of the calls, or only a little, bring no more than that.
inline constexpr double kMostPaidOverFresh = 1.15;

/// One leg: both programs freshly started, and run in turn.
struct LegTimes {
  double ratio = 0;            ///< reference time / student time
  double seconds = 0;          ///< of a call of the student's
  double slower_on_fresh = 1;  ///< how much longer a call on unseen inputs takes, relative to the
                               ///< reference's: large if results are reused
};

/// A race, leg by leg. Every leg is judged separately, so that one with many quick rounds weighs no
/// more than one with few slow ones.
class Race {
 public:
  /// `shortest` is the time that the roof allows for a call, if it is known.
  Race(const SpeedExercise& exercise, std::optional<double> shortest);

  void add(const LegTimes& leg);

  /// False while a further leg could change the verdict.
  bool is_over() const;
  /// If several legs reused the results of earlier calls: the smallest slowdown on unseen inputs
  /// among these legs.
  std::optional<double> kept_results() const;
  /// True if it is faster than the machine can be, while the reference is not.
  bool is_impossible() const;
  /// Whether a leg would earn more if it were as fast on unseen inputs: noise may be the reason.
  bool is_held_back(const LegTimes& leg) const;
  /// Whether the legs agree well enough for points.
  bool is_decided() const;
  /// Share of the points: the maximum that the legs allow. A kernel that may be as fast as the
  /// reference gets the reference's score.
  double score() const;

  Interval ratio() const;
  double seconds() const;
  std::optional<double> roof_fraction() const;

 private:
  /// Its speed as a part of what earns everything, of the reference's or of the roof's.
  double worth_of(const LegTimes& leg) const;
  /// The part of that which is paid.
  double paid_worth_of(const LegTimes& leg) const;
  Interval scores() const;
  bool is_steady() const;
  std::vector<double> all(double LegTimes::*figure) const;

  const SpeedExercise* exercise_;
  std::optional<double> shortest_;
  std::vector<LegTimes> legs_;
};

}  // namespace grader
