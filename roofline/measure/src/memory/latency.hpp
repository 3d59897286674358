// SPDX-License-Identifier: MIT
// Latency of a load: one thread chases pointers, so that each load depends on the previous one.
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

/// Working sets, one for each level of the memory hierarchy of one core, each well inside its
/// level. `most_bytes` limits the one in DRAM; if a cache could then still serve it, it is left
/// out.
std::vector<Rung> latency_rungs(const CacheSizes& one_core, double most_bytes);

/// Working sets in memory that a device of this kind reaches only over a link: for a GPU, host
/// memory ("remote") and another GPU's memory ("peer"). A Chase finds out whether this machine has
/// it.
std::vector<Rung> far_rungs();

/// A working set of cache lines, each of which holds the address of the next, in one random cycle
/// through all of them.
class Chase {
 public:
  /// Throws std::runtime_error, with the reason, if there is no memory of that level.
  explicit Chase(const Rung& rung);

  /// One launch: steps() dependent loads, starting where the previous launch stopped. Keeps
  /// pointers into this object.
  Launch launch();
  /// Dependent loads of one launch.
  std::size_t steps() const { return steps_; }
  double bytes() const;
  /// Restarts, walks through the whole cycle at least once so that a cache can hold it, and says
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
