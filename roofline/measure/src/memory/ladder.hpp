// SPDX-License-Identifier: MIT
// The memory ladder: read bandwidth as a function of the working set size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"
#include "launch_shape.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// Capacities that divide the ladder into levels; 0 if a level does not exist.
struct CacheSizes {
  double l1_per_unit = 0;
  double l2 = 0;  ///< all of it together
  double last_level = 0;
};

/// One rung: a working set and the level that should serve it.
struct Rung {
  double bytes = 0;
  std::string level;           ///< "L1", "L2", "LLC", "DRAM", or "L1-L2" and the like between two
  bool private_pieces = true;  ///< every unit rereads its own piece; otherwise pieces rotate
};

/// How far the pieces have moved in a pass: 0, 1, 3, 6, 10 ... modulo their number. Each step is
/// one longer than the one before. With equal steps a block that is one pass ahead reads the same
/// pieces as some other block for good: the one behind finds them in a cache, catches up, and both
/// go on in step, so that the level below is read once for two (an H200 then showed 6.8 TB/s from a
/// memory of 4.8).
constexpr __host__ __device__ int rotation(int pass, int pieces) {
  return static_cast<int>(std::int64_t{pass} * (pass + 1) / 2 % pieces);
}

/// Working sets from a quarter of the L1s to four times the largest cache, two per doubling, each
/// with the level it is attributed to.
std::vector<Rung> rungs(const CacheSizes& caches, int units);

/// A launch, and the sum it must find.
struct LadderCandidate : Candidate {
  int passes = 0;
  std::size_t elements = 0;
};

/// An array that is read over and over.
class Ladder {
 public:
  Ladder(double most_bytes, int units);

  /// Launches that read a rung's working set many times. They keep pointers into this object.
  std::vector<LadderCandidate> candidates(const Rung& rung);

  /// Runs a launch and says whether its sum is correct.
  bool sum_is_right(const LadderCandidate& candidate);

 private:
  std::vector<LaunchShape> shapes() const;

  int units_;
  gpu::DeviceBuffer<double> data_;
  gpu::DeviceBuffer<double> partial_;
};

}  // namespace roofline::measure
