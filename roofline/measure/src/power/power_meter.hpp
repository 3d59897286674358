// SPDX-License-Identifier: MIT
// What the machine says of its own power, energy, clock and throttling.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace roofline::measure {

/// One look at a device; what it does not say is left empty.
struct PowerReading {
  double joules = 0;  ///< used since some moment in the past; only differences mean something
  std::optional<double> clock_hz;
  std::vector<std::string> held_back_by;  ///< what keeps the clock down, such as "the power cap"
};

/// Thrown when a meter stops answering: that costs the energy, not the roof.
struct MeterFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the device's own energy counter.
class PowerMeter {
 public:
  virtual ~PowerMeter() = default;
  virtual std::string name() const = 0;  ///< what is counted and by whom
  /// How often the counter moves, at the slowest.
  virtual double update_seconds() const = 0;
  /// Throws MeterFailure.
  virtual PowerReading read() = 0;
};

/// A meter, or why there is none.
struct FoundMeter {
  std::unique_ptr<PowerMeter> meter;
  std::string missing;
};

/// The meter of the device that this build's kernels run on: NVML for an NVIDIA GPU, RAPL for a
/// CPU.
FoundMeter find_power_meter();

/// The counters of a powercap folder (/sys/class/powercap): all packages and, where counted apart,
/// their DRAM.
FoundMeter rapl_meter(const std::filesystem::path& folder);

}  // namespace roofline::measure
