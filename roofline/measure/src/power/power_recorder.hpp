// SPDX-License-Identifier: MIT
// Power, clock and throttling while the device works without a pause.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "power_meter.hpp"
#include "roofline/measurement.hpp"

namespace roofline::measure {

/// The progress of some work: how much is done, and after how many seconds of the device's time.
struct Progressed {
  double amount = 0;  ///< bytes or operations
  double seconds = 0;
};

/// Meters a device that is kept busy. A separate thread reads the meter, so no driver query ever
/// comes between two launches.
class PowerRecorder {
 public:
  explicit PowerRecorder(PowerMeter& meter) : meter_(meter) {}

  /// Meters power and energy of work that `advance` keeps going: each call queues the next piece
  /// before the last one ends, and returns the progress of the work. Power is measured between two
  /// steps of the counter; the rate over the same seconds, by the device's clock. Clock and
  /// throttling are for that span, too. Once the meter has failed, this does nothing.
  void record(const std::function<Progressed()>& advance);

  /// What was recorded since the last call; empty if no energy was.
  std::optional<RoofPower> take();

  /// Why the meter failed; empty while it works.
  const std::string& failure() const { return failure_; }

 private:
  PowerMeter& meter_;
  std::string failure_;
  std::optional<RoofPower> power_;
};

/// Mean power in watts of an idle device.
double idle_watts(PowerMeter& meter);

}  // namespace roofline::measure
