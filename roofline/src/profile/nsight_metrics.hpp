// SPDX-License-Identifier: MIT
// Nsight Compute's metrics of one launch: from cells with units to FLOPs, bytes and seconds.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "roofline/profile.hpp"

namespace roofline {

/// A cell as it was printed.
struct NsightCell {
  std::string value;
  std::string unit;
};
using NsightMetrics = std::map<std::string, NsightCell>;

/// The factor from the unit to its base unit: 1e-9 for "ns", 1e9 for "Gbyte" and for
/// "cycle/nsecond"; empty for an unknown unit.
std::optional<double> nsight_unit_scale(const std::string& unit);

/// FLOPs, bytes and seconds. An instruction's count is its ".sum"; if only its rate was collected,
/// as by `--set full`, the rate times the cycles. `capability` ("9.0") determines which tensor core
/// counters exist. Throws CountingProblem without time or DRAM traffic, and for values that cannot
/// be read.
KernelCounts nsight_counts(const NsightMetrics& metrics, const std::string& capability,
                           std::vector<std::string>& notes);

}  // namespace roofline
