// SPDX-License-Identifier: MIT
// The machine's own readings of power, energy, clock and throttling.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace roofline::measure {

/// One reading of a device; anything it does not report is left empty.
struct PowerReading {
  double joules = 0;  ///< used since some time in the past; only differences are meaningful
  std::optional<double> clock_hz;
  std::vector<std::string> held_back_by;  ///< what throttles the clock, such as "the power cap"
};

/// Thrown if a meter stops answering: then the energy is lost, but not the roof.
struct MeterFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the device's own energy counter.
class PowerMeter {
 public:
  virtual ~PowerMeter() = default;
  virtual std::string name() const = 0;  ///< what is metered, and by which counter
  /// The longest interval between two updates of the counter.
  virtual double update_seconds() const = 0;
  /// Throws MeterFailure.
  virtual PowerReading read() = 0;
};

/// A meter, or the reason why there is none.
struct FoundMeter {
  std::unique_ptr<PowerMeter> meter;
  std::string missing;
};

/// The meter of the device that this build's kernels run on: NVML for an NVIDIA GPU, RAPL for a
/// CPU.
FoundMeter find_power_meter();

/// The counters of a powercap folder (/sys/class/powercap): all packages and, if counted
/// separately, their DRAM.
FoundMeter rapl_meter(const std::filesystem::path& folder);

}  // namespace roofline::measure
