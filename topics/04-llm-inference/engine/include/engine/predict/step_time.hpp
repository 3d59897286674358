// SPDX-License-Identifier: MIT
// The least time of a token on a machine: the bytes of its pass over the bandwidth they come at.
#pragma once

#include <string>

#include "roofline/machine.hpp"

namespace engine {

struct StepTime {
  double bytes = 0;             ///< that the pass of one token reads
  std::string level;            ///< the memory that they come from: "L2", "LLC", "DRAM"
  double bytes_per_second = 0;  ///< of that level
  double seconds = 0;           ///< bytes over that bandwidth
};

/// The innermost level that holds all of the bytes and whose bandwidth is known, since each step
/// reads the same weights again; else DRAM, as `roofline predict` takes it (its read stream where
/// that was measured). A first-level cache is never taken: all cores would have to hold their part.
/// Throws std::invalid_argument when no bandwidth is known.
StepTime predict_step(const roofline::Machine& machine, double bytes);

}  // namespace engine
