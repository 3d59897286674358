// SPDX-License-Identifier: MIT
// Counts the bytes of the weights only.
// Refused: 01.f.linear | failed | in bytes: This counts the weights only
#include "formulas.hpp"
#include "harness/function.hpp"

Work linear_work(double batch, double in_features, double out_features, double element_bytes) {
  return {2 * batch * in_features * out_features, element_bytes * in_features * out_features};
}

HARNESS_FUNCTION(linear_work)
