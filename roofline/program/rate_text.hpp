// SPDX-License-Identifier: MIT
// Figures of a report as text with their unit.
#pragma once

#include <string>

#include "roofline/measurement.hpp"

namespace roofline::program {

/// A rate of this roof with its unit: GB/s, TFLOP/s, TOP/s, or seconds.
std::string rate_text(const MeasuredRoof& roof, double rate);

}  // namespace roofline::program
