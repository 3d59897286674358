// SPDX-License-Identifier: MIT
// Rates of operations that are not FLOPs: exponentials, reciprocals, conversions, atomics; and the
// bandwidth of the memory shared by the threads of a block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "roofline/measurement.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// One kind of operation whose rate can be measured.
class OperationRate {
 public:
  virtual ~OperationRate() = default;
  virtual std::string name() const = 0;  ///< such as "fp32.exp2"
  virtual RoofKind kind() const = 0;     ///< operations, or the bandwidth of shared memory
  virtual std::string note() const = 0;  ///< the instruction, and what one operation is
  /// Launches worth trying. They keep pointers into this object.
  virtual std::vector<Candidate> candidates() = 0;
  /// Runs a candidate and compares its results with the host's; returns how many are wrong.
  virtual long wrong_results(std::size_t candidate) = 0;
};

/// Exponentials, reciprocals, roots and conversions, in registers.
std::vector<std::unique_ptr<OperationRate>> special_operations(int units);

/// Atomic additions, and, on a GPU, the bandwidth of shared memory.
std::vector<std::unique_ptr<OperationRate>> shared_and_atomic_operations(int units);

}  // namespace roofline::measure
