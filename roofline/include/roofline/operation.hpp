// SPDX-License-Identifier: MIT
// An operation in the model: its FLOPs and the bytes it moves at each level.
#pragma once

#include <string>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"
#include "roofline/precision.hpp"

namespace roofline {

/// Bytes through a level closer to the core than DRAM ("L1", "L2", "LLC").
struct LevelBytes {
  std::string level;
  double bytes = 0;
};

/// Unless a function says otherwise the DRAM traffic is compulsory: every operand is read once and
/// every result written once, however often the algorithm uses it; an operand that is updated in
/// place is read and written. A multiply-add is 2 FLOP; a comparison, absolute value or conversion
/// is none unless stated. The lines that a CPU fetches before writing them are not counted.
struct Operation {
  std::string name;
  double flops = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  std::vector<LevelBytes> inner;  ///< inner levels, if the algorithm determines their traffic

  double bytes() const { return bytes_read + bytes_written; }
  /// FLOP per DRAM byte; +infinity if nothing moves.
  double intensity() const { return arithmetic_intensity(flops, bytes()); }
};

/// max(FLOPs / peak, bytes / bandwidth) in seconds.
double time_seconds(const Roof& roof, const Operation& operation);

/// The same over all levels that both the operation and the machine state.
HierarchicalBound hierarchical_bound(const Machine& machine, Precision precision,
                                     const Operation& operation);

/// Sum of the operations' own times: they run one after another.
double time_of_sequence(const Roof& roof, const std::vector<Operation>& operations);

/// FLOPs and bytes of all operations together, under one name. Do not compute a time from it: the
/// bound of a sum is below the sum of the bounds.
Operation total(std::string name, const std::vector<Operation>& operations);

/// Two operations as one, where the second uses `intermediate_bytes` that the first produces: they
/// stay in registers, which saves reading them, and also writing them unless `still_written`.
/// Throws std::invalid_argument if the operations do not move that much.
Operation fused(std::string name, const Operation& first, const Operation& second,
                double intermediate_bytes, bool still_written = false);

}  // namespace roofline
