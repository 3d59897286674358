// SPDX-License-Identifier: MIT
// RAPL: the energy counters of x86 processors, which Linux exposes under /sys/class/powercap.
//
// Source: Linux documentation, "Power Capping Framework" (Documentation/power/powercap).
#include <algorithm>
#include <fstream>

#include "base/files.hpp"
#include "power_meter.hpp"

namespace roofline::measure {
namespace {

namespace fs = std::filesystem;

constexpr double kMicro = 1e-6;

std::optional<double> number_in(const fs::path& file) {
  std::ifstream in(file);
  double value = 0;
  if (!(in >> value)) return std::nullopt;
  return value;
}

/// One counter, which wraps around to zero.
struct Zone {
  fs::path file;
  double full = 0;
  double last = 0;
  double sum = 0;  ///< since the first reading, in microjoules
};

class RaplMeter : public PowerMeter {
 public:
  RaplMeter(std::vector<Zone> zones, std::string name)
      : zones_(std::move(zones)), name_(std::move(name)) {}
  std::string name() const override { return name_; }
  double update_seconds() const override { return 1e-3; }
  PowerReading read() override {
    PowerReading reading;
    for (Zone& zone : zones_) {
      const std::optional<double> now = number_in(zone.file);
      if (!now) throw MeterFailure("cannot read " + zone.file.string() + " any more");
      zone.sum += *now - zone.last + (*now < zone.last ? zone.full : 0);
      zone.last = *now;
      reading.joules += zone.sum * kMicro;
    }
    return reading;
  }

 private:
  std::vector<Zone> zones_;
  std::string name_;
};

/// Packages, and DRAM if it is counted separately. The core's share is part of its package, and
/// "psys" includes the packages.
bool counts(const std::string& name) {
  return name.starts_with("package") || name == "dram";
}

}  // namespace

FoundMeter rapl_meter(const fs::path& folder) {
  std::error_code none;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().filename().string().starts_with("intel-rapl:")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  std::vector<Zone> zones;
  int packages = 0;
  int memories = 0;
  for (const fs::path& path : found) {
    const std::string name = base::first_line(path / "name");
    if (!counts(name)) continue;
    const fs::path file = path / "energy_uj";
    const std::optional<double> now = number_in(file);
    if (!now) return {nullptr, "this user may not read " + file.string()};
    zones.push_back({file, number_in(path / "max_energy_range_uj").value_or(0), *now, 0});
    ++(name == "dram" ? memories : packages);
  }
  if (packages == 0) return {nullptr, "Linux shows no RAPL counters in " + folder.string()};
  const std::string name = "RAPL, " + std::to_string(packages) +
                           (packages == 1 ? " package" : " packages") +
                           (memories > 0 ? " and DRAM" : " without DRAM");
  return {std::make_unique<RaplMeter>(std::move(zones), name), {}};
}

}  // namespace roofline::measure
