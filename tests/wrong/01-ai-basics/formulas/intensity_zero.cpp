// SPDX-License-Identifier: MIT
// Says 0 for work that moves nothing.
// Refused: 01.f.intensity | failed | its intensity is infinite
#include "formulas.hpp"
#include "harness/function.hpp"

double arithmetic_intensity(const Work& work) {
  return work.bytes == 0 ? 0 : work.flops / work.bytes;
}

HARNESS_FUNCTION(arithmetic_intensity)
