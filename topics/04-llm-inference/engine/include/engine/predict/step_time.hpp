// SPDX-License-Identifier: MIT
// The least time per token on a machine: the bytes that a pass reads, over the bandwidth of their
// level.
#pragma once

#include <string>

#include "roofline/machine.hpp"

namespace engine {

struct StepTime {
  double bytes = 0;             ///< read by the pass of one token
  std::string level;            ///< the memory level that they come from: "L2", "LLC", "DRAM"
  double bytes_per_second = 0;  ///< of that level
  double seconds = 0;           ///< bytes over that bandwidth
};

/// Takes the innermost level that holds all of the bytes and whose bandwidth is known, because each
/// step reads the same weights again; otherwise DRAM, with the bandwidth that `roofline predict`
/// uses (the read stream, if that was measured). A first-level cache never counts: every core would
/// have to hold its part. Throws std::invalid_argument if no bandwidth is known.
StepTime predict_step(const roofline::Machine& machine, double bytes);

}  // namespace engine
