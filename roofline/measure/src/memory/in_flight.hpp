// SPDX-License-Identifier: MIT
// Reads of DRAM with a known number of bytes in flight: how much concurrency its bandwidth needs.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/buffer.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// One launch. `amount` of the candidate is the number of bytes it reads.
struct InFlightLoad : Candidate {
  double bytes_per_unit = 0;  ///< in flight on each unit, at most
  unsigned grid = 0;
  unsigned block = 0;
  int loads = 0;  ///< of 16 bytes, that a thread issues before it waits for all of them
};

/// An array that every launch reads once. A thread issues its next loads only when the previous
/// ones have arrived, so that neither a compiler nor a scheduler can have more in flight.
class InFlight {
 public:
  InFlight(double bytes, int units);

  /// From 512 bytes to 128 KiB per unit. They keep pointers into this object.
  std::vector<InFlightLoad> loads();

  /// Runs a load and compares the sums of all its threads with the host's.
  bool sum_is_right(const InFlightLoad& load);

 private:
  int units_;
  gpu::DeviceBuffer<float> x_;
  gpu::DeviceBuffer<float> sums_;
};

}  // namespace roofline::measure
