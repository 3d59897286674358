// SPDX-License-Identifier: MIT
// Power, clock and throttling while a roof is sampled.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "power_meter.hpp"
#include "roofline/measurement.hpp"

namespace roofline::measure {

/// Reads a meter while the device works, for long enough that the energy counter has moved often.
class PowerRecorder {
 public:
  explicit PowerRecorder(PowerMeter& meter) : meter_(meter) {}

  /// Records clock and throttling. To be called while work is queued, not after it.
  void look();

  /// Energy of `run(look)`, called again and again: it queues work, calls look(), waits for the
  /// work, and returns how many bytes or operations that was. From one step of the counter to
  /// another, a quarter of a second or a few steps later. Once the
  /// meter has failed, this does nothing.
  void record(const std::function<double(const std::function<void()>&)>& run);

  /// What was recorded since the last call; empty when no energy was.
  std::optional<RoofPower> take();

  /// Why the meter gave up; empty while it works.
  const std::string& failure() const { return failure_; }

 private:
  PowerMeter& meter_;
  std::string failure_;
  std::chrono::steady_clock::time_point last_look_{};
  std::vector<double> clocks_;
  std::vector<std::string> held_back_by_;
  std::optional<RoofPower> power_;
};

/// Mean power in watts of an idle device.
double idle_watts(PowerMeter& meter);

}  // namespace roofline::measure
