// SPDX-License-Identifier: MIT
// The core clock, measured rather than read.
#pragma once

#include <optional>

namespace roofline::measure {

/// Clock in Hz of the cores when all of them have just been computing; empty where this machine
/// offers no way to count cycles.
std::optional<double> measured_clock_hz(int units);

}  // namespace roofline::measure
