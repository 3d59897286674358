// SPDX-License-Identifier: MIT
// A lab program started alone: runs its entry at a chosen size and reports what it reached.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

  double bytes_per_second() const { return work.bytes_moved / median_seconds; }
  double flops_per_second() const { return work.flops / median_seconds; }
  double flops_per_byte() const { return work.flops / work.bytes_moved; }
};

/// Runs `entry` at size n on random inputs: warm-up, then `repeats` samples.
/// @throws std::runtime_error when n does not fit the device's memory.
Measurement measure(const LabEntry& entry, std::int64_t n, int repeats);

/// The measurement as JSON with backend, device, compiler, commit and time. The grader reads it.
std::string to_json(const Measurement& measurement, Device& device);

/// Writes `text` to `path` through a temporary file, so that no reader sees half of it.
/// @throws std::runtime_error when it cannot be written.
void write_atomically(const std::string& path, const std::string& text);

/// main() of a lab program without --serve.
int benchmark_main(int argc, char** argv);

}  // namespace harness
