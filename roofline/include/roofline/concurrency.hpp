// SPDX-License-Identifier: MIT
// Bytes in flight: how many a machine needs to reach its bandwidths (Little's law).
#pragma once

#include <string>
#include <vector>

#include "roofline/measurement.hpp"

namespace roofline {

/// Bytes in flight if each takes `latency_seconds` and `bytes_per_second` arrive: their product
/// (Little, "A proof for the queuing formula L = lambda W", 1961).
double bytes_in_flight(double latency_seconds, double bytes_per_second);

/// What a level of a measured machine needs. The latency is that of idle memory and grows under
/// load, so kernels need at least this much.
struct LevelConcurrency {
  std::string level;
  double latency_seconds = 0;
  double bytes_per_second = 0;  ///< of all units combined
  double bytes_per_unit = 0;    ///< in flight, for each core or multiprocessor
};

/// The levels whose latency and bandwidth were both measured, nearest to the core first.
std::vector<LevelConcurrency> concurrency_of(const Report& report);

/// Loads of `load_bytes` that each of `threads` threads must have in flight to keep that many bytes
/// in flight.
double loads_in_flight(double bytes, double threads, double load_bytes);

}  // namespace roofline
