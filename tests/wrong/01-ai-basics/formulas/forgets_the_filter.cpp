// SPDX-License-Identifier: MIT
// Leaves out the bytes of the filter.
// Refused: 01.f.convolution | failed | in bytes: This leaves out the bytes of the filter
#include "formulas.hpp"
#include "harness/function.hpp"

Work convolution_work(const Convolution& shape, double element_bytes) {
  const double pixels = shape.batch * shape.height * shape.width;
  const double filter = shape.in_channels * shape.out_channels * shape.kernel * shape.kernel;
  return {2 * pixels * filter, element_bytes * pixels * (shape.in_channels + shape.out_channels)};
}

HARNESS_FUNCTION(convolution_work)
