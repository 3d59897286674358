// SPDX-License-Identifier: MIT
// Peaks of packed, dot-product and matrix instructions, in registers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "roofline/compute_unit.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// One instruction of this machine whose peak can be measured.
class PackedPeak {
 public:
  virtual ~PackedPeak() = default;
  virtual std::string name() const = 0;  ///< such as "fp16.vector"
  virtual Precision precision() const = 0;
  virtual Unit unit() const = 0;
  virtual std::string note() const = 0;  ///< the instruction, and remarks of the last launch
  /// Launches worth trying, on random operands. They keep pointers into this object.
  virtual std::vector<Candidate> candidates() = 0;
  /// Runs a candidate on operands with an exact result; returns how many threads were wrong.
  virtual long wrong_results(std::size_t candidate) = 0;
};

/// The instructions that the device has, among those that this build knows.
std::vector<std::unique_ptr<PackedPeak>> packed_peaks(const std::string& architecture, int units);

}  // namespace roofline::measure
