// SPDX-License-Identifier: MIT
// Checks whether this machine's stored roofs still hold, with a short measurement during judging.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/session.hpp"
#include "roofline/measurement.hpp"

namespace grader {

/// How the current roof compares with the stored one.
enum class RoofState {
  kAgrees,
  kHigherNow,  ///< the stored one was measured on a busy machine, or on another
  kLowerNow    ///< the machine is busy, or the stored one is stale
};

/// They differ when the gap exceeds both spreads and the variation between runs.
RoofState state_of(const roofline::Spread& stored, const roofline::Spread& now);

/// One roof: the stored value and the current one.
struct RoofNow {
  roofline::MeasuredRoof stored;
  roofline::Spread now;
};

/// The result of re-measuring the roofs of an exercise.
class RoofLook {
 public:
  RoofLook() = default;
  RoofLook(roofline::Report stored, std::vector<RoofNow> roofs);

  /// The state of the roof that is farthest off.
  RoofState state() const;
  /// Which roof is off, by how much, and what to do; empty when all agree.
  std::string complaint() const;
  /// The machine with every roof at the higher of its two values. Other work on the machine makes a
  /// measured roof too low, never too high.
  roofline::Machine machine() const;

 private:
  roofline::Report stored_;
  std::vector<RoofNow> roofs_;
};

/// Names of the measured roofs that limit a given amount of work: a peak, or memory streams.
std::vector<std::string> limiting_roofs(const roofline::Machine& machine,
                                        const std::string& precision, double flops,
                                        double bytes_moved);

/// Precision of the compute roof that recorded and predicted times are compared with.
inline constexpr const char* kTimedPrecision = "fp32";

/// Briefly re-measures the roofs that limit a given amount of work. Nothing if this machine has not
/// been measured. Roofs that a quick measurement leaves out keep their stored values.
std::optional<RoofLook> look_at_roofs(const Session& session, const std::string& precision,
                                      double flops, double bytes_moved);

}  // namespace grader
