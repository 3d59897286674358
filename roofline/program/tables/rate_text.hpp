// SPDX-License-Identifier: MIT
// Figures of a report as text with units.
#pragma once

#include <string>

#include "roofline/measurement.hpp"

namespace roofline::program {

/// A rate of this roof with its unit: GB/s, TFLOP/s, TOP/s, or seconds.
std::string rate_text(const MeasuredRoof& roof, double rate);

/// Energy per byte or operation of this roof, such as "42.1 pJ/B".
std::string energy_text(const MeasuredRoof& roof, double joules);

}  // namespace roofline::program
