// SPDX-License-Identifier: MIT
// FP32 multiply-adds on data read from DRAM, at a range of intensities: the power of these loads
// separates static power, the energy per FLOP and the energy per byte.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/buffer.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// One load with its FLOPs and bytes per launch; `amount` of the candidate is its bytes.
struct SweepLoad : Candidate {
  double flops = 0;
  int steps = 0;
};

/// An array that is read once per launch.
class EnergySweep {
 public:
  EnergySweep(double bytes, int units);

  /// 0 to 128 multiply-adds per element. They keep pointers into this object.
  std::vector<SweepLoad> loads();

  /// Runs a load on the first elements and compares some threads' sums with the host's.
  bool sums_are_right(const SweepLoad& load);

 private:
  Launch launch_of(int steps, std::size_t lanes_per_thread);

  int units_;
  std::size_t lanes_per_thread_;
  gpu::DeviceBuffer<float> x_;
  gpu::DeviceBuffer<float> partial_;
};

}  // namespace roofline::measure
