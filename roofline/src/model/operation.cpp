// SPDX-License-Identifier: MIT
// Times of operations, and combined operations.
#include "roofline/operation.hpp"

#include <stdexcept>
#include <utility>

#include "roofline/checks.hpp"

namespace roofline {

double time_seconds(const Roof& roof, const Operation& operation) {
  return time_seconds(roof, operation.flops, operation.bytes());
}

HierarchicalBound hierarchical_bound(const Machine& machine, Precision precision,
                                     const Operation& operation) {
  std::vector<LevelLoad> loads = {
      {"DRAM",
       stream_of_mix(machine, operation.bytes_read, operation.bytes_written).bytes_per_second,
       operation.bytes()}};
  for (const LevelBytes& inner : operation.inner) {
    for (const MemoryLevel& level : machine.levels) {
      if (level.name != inner.level || !level.bytes_per_second) continue;
      loads.push_back({level.name, *level.bytes_per_second, inner.bytes});
    }
  }
  return hierarchical_bound(best_peak(machine, precision).operations_per_second, operation.flops,
                            loads);
}

double time_of_sequence(const Roof& roof, const std::vector<Operation>& operations) {
  double seconds = 0;
  for (const Operation& operation : operations) seconds += time_seconds(roof, operation);
  return seconds;
}

Operation total(std::string name, const std::vector<Operation>& operations) {
  Operation sum;
  sum.name = std::move(name);
  for (const Operation& operation : operations) {
    sum.flops += operation.flops;
    sum.bytes_read += operation.bytes_read;
    sum.bytes_written += operation.bytes_written;
  }
  return sum;
}

Operation fused(std::string name, const Operation& first, const Operation& second,
                double intermediate_bytes, bool still_written) {
  require_not_negative(intermediate_bytes, "bytes of the intermediate");
  if (intermediate_bytes > first.bytes_written || intermediate_bytes > second.bytes_read) {
    throw std::invalid_argument("the intermediate is larger than what '" + first.name +
                                "' writes or '" + second.name + "' reads");
  }
  Operation result = total(std::move(name), {first, second});
  result.bytes_read -= intermediate_bytes;
  if (!still_written) result.bytes_written -= intermediate_bytes;
  return result;
}

}  // namespace roofline
