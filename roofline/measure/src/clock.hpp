// SPDX-License-Identifier: MIT
// The core clock, measured rather than read.
#pragma once

#include <memory>
#include <optional>

namespace roofline::measure {

/// Clock in Hz of the cores right after all of them have been computing; empty if this machine
/// offers no way to count cycles.
std::optional<double> measured_clock_hz(int units);

/// Mean clock during intervals of device work. If the cores' cycle counters keep their values
/// between kernels, the clock is that of the intervals; otherwise it is measured right after them.
class ClockProbe {
 public:
  virtual ~ClockProbe() = default;
  virtual void begin() = 0;              ///< right before the work of a span is queued
  virtual void end(double seconds) = 0;  ///< when it is over, with its device time
  /// Median in Hz of the spans since the last call; empty where there is no way to count cycles.
  virtual std::optional<double> take() = 0;
};

std::unique_ptr<ClockProbe> make_clock_probe(int units);

}  // namespace roofline::measure
