// SPDX-License-Identifier: MIT
// Chains for one clock only.
// Refused: 02.function.chains | failed | This fills the pipes for one clock
#include "formulas.hpp"
#include "harness/function.hpp"

double chains_to_fill(double fma_pipes, double lanes, double) {
  return fma_pipes * lanes;
}

HARNESS_FUNCTION(chains_to_fill)
