// SPDX-License-Identifier: MIT
// A lab program started alone: runs its entry at a chosen size and reports the performance.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/device.hpp"
#include "harness/entry.hpp"

namespace harness {

/// Times of one benchmark run and what they mean.
struct Measurement {
  std::string program;
  std::int64_t n = 0;
  int repeats = 0;
  Work work;
  double median_seconds = 0;
  double minimum_seconds = 0;
  double maximum_seconds = 0;
  /// Name and value of the named integer scalars.
  std::vector<std::pair<std::string, std::int64_t>> integers{};

  double bytes_per_second() const { return work.bytes_moved / median_seconds; }
  double flops_per_second() const { return work.flops / median_seconds; }
  double flops_per_byte() const { return work.flops / work.bytes_moved; }
};

/// The integer scalars of a call of size n, in signature order, as given by the options.
std::vector<std::int64_t> default_integers(const LabEntry& entry, std::int64_t n);

/// The size to measure by default: default_n, or more if the caches are large.
std::int64_t default_size(const LabEntry& entry);

/// Runs `entry` at size n on random inputs: warm-up, then `repeats` samples. `integers` are the
/// integer scalars in signature order.
/// @throws std::runtime_error if n does not fit into the device's memory.
Measurement measure(const LabEntry& entry, std::int64_t n, int repeats,
                    std::span<const std::int64_t> integers);

/// Calls `entry` once at size n, with the same random inputs as measure() and profile(), and waits
/// for it. @throws like measure().
void call_once(const LabEntry& entry, std::int64_t n, std::span<const std::int64_t> integers);

/// Profiles a call of size n on random inputs on the virtual GPU with this geometry (JSON). @throws
/// like measure() and Call::profile().
std::string profile(const LabEntry& entry, std::int64_t n, std::span<const std::int64_t> integers,
                    const std::string& geometry, int registers_per_thread);

/// The measurement as JSON with backend, device, compiler, commit and time. The grader reads it.
std::string to_json(const Measurement& measurement, Device& device);

/// main() of a lab program without --serve.
int benchmark_main(int argc, char** argv);

}  // namespace harness
