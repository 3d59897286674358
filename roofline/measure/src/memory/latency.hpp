// SPDX-License-Identifier: MIT
// Latency of a load: one thread chases pointers, so that each load needs the one before.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cycle.hpp"
#include "gpu/buffer.hpp"
#include "ladder.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// Working sets, one for each level that the caches of one core divide memory into, each well
/// inside its level. `most_bytes` bounds the one in DRAM; where that leaves it within reach of a
/// cache, it is left out.
std::vector<Rung> latency_rungs(const CacheSizes& one_core, double most_bytes);

/// Working sets in memory that a device of this kind reaches only over a link: a GPU's in the
/// host's
/// ("remote") and in another GPU's ("peer"). Whether this machine has it, a Chase finds out.
std::vector<Rung> far_rungs();

/// A working set of cache lines, each of which holds the address of the next in one random cycle
/// through all of them.
class Chase {
 public:
  /// Throws std::runtime_error, with the reason, where there is no memory of that level.
  explicit Chase(const Rung& rung);

  /// One launch: steps() dependent loads from where the launch before it stopped.
  /// Keeps pointers into this object.
  Launch launch();
  /// Dependent loads of one launch.
  std::size_t steps() const { return steps_; }
  double bytes() const;
  /// Starts anew, walks through the whole cycle at least once so that a cache can hold it, and says
  /// whether every launch ended at the line where the host's own walk ends.
  bool ends_where_it_should();
  /// Bytes from one line to the next: 128 on a GPU, 64 on a CPU.
  static std::size_t line_bytes();

 private:
  std::uint64_t address_of(std::uint32_t line) const;

  std::vector<std::uint32_t> next_;
  std::size_t steps_;
  std::shared_ptr<std::uint64_t> lines_;
  gpu::DeviceBuffer<std::uint64_t> cursor_;
};

}  // namespace roofline::measure
