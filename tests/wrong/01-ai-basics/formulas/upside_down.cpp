// SPDX-License-Identifier: MIT
// Divides bytes by FLOPs.
// Refused: 01.f.intensity | failed | This is bytes per FLOP
#include "formulas.hpp"
#include "harness/function.hpp"

double arithmetic_intensity(const Work& work) {
  return work.bytes / work.flops;
}

HARNESS_FUNCTION(arithmetic_intensity)
