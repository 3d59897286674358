// SPDX-License-Identifier: MIT
// Whether this machine's stored roofs still hold: a short measurement of them during judging.
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

/// One roof, stored and looked at.
struct RoofNow {
  roofline::MeasuredRoof stored;
  roofline::Spread now;
};

/// What a look at the roofs of an exercise found.
class RoofLook {
 public:
  RoofLook() = default;
  RoofLook(roofline::Report stored, std::vector<RoofNow> roofs);

  /// Of the roof that is farthest off.
  RoofState state() const;
  /// Which roof is off, by how much, and what to do; empty when all agree.
  std::string complaint() const;
  /// The machine with every roof at the higher of its two values. A busy moment makes a roof too
  /// low and never too high.
  roofline::Machine machine() const;

 private:
  roofline::Report stored_;
  std::vector<RoofNow> roofs_;
};

/// Names of the measured roofs that limit an amount of work: a peak, or streams of the memory.
std::vector<std::string> limiting_roofs(const roofline::Machine& machine,
                                        const std::string& precision, double flops,
                                        double bytes_moved);

/// Precision of the compute roof that recorded and predicted times are compared with.
inline constexpr const char* kTimedPrecision = "fp32";

/// A short look at the roofs that limit an amount of work. Nothing where this machine has not been
/// measured; roofs that a quick measurement leaves out are taken as they are stored.
std::optional<RoofLook> look_at_roofs(const Session& session, const std::string& precision,
                                      double flops, double bytes_moved);

}  // namespace grader
