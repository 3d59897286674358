// SPDX-License-Identifier: MIT
// Bytes in flight, by Little's law.
#include "roofline/concurrency.hpp"

#include "roofline/checks.hpp"

namespace roofline {

double bytes_in_flight(double latency_seconds, double bytes_per_second) {
  return require_positive(latency_seconds, "latency in seconds") *
         require_positive(bytes_per_second, "bandwidth in B/s");
}

std::vector<LevelConcurrency> concurrency_of(const Report& report) {
  std::vector<LevelConcurrency> all;
  for (const MemoryLevel& level : machine_from_report(report).levels) {
    for (const MeasuredRoof& roof : report.roofs) {
      if (roof.kind != RoofKind::kLatency || roof.level != level.name || !roof.refused.empty()) {
        continue;
      }
      if (!level.bytes_per_second || report.device.units <= 0) continue;
      all.push_back(
          {level.name, roof.rate.median, *level.bytes_per_second,
           bytes_in_flight(roof.rate.median, *level.bytes_per_second) / report.device.units});
    }
  }
  return all;
}

double loads_in_flight(double bytes, double threads, double load_bytes) {
  return require_positive(bytes, "bytes in flight") / require_positive(threads, "threads") /
         require_positive(load_bytes, "bytes of a load");
}

}  // namespace roofline
