// SPDX-License-Identifier: MIT
// Adds the two times, as if arithmetic waited for the transfers.
// Refused: 01.f.time | failed | This adds the two times
#include "formulas.hpp"
#include "harness/function.hpp"

double time_seconds(const Work& work, const Machine& machine) {
  return work.flops / machine.peak + work.bytes / machine.bandwidth;
}

HARNESS_FUNCTION(time_seconds)
