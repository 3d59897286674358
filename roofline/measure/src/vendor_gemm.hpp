// SPDX-License-Identifier: MIT
// The vendor's matrix product as a roof: cuBLASLt, or a BLAS on the CPU.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/compute_unit.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// One precision of the vendor's product C = A B of square matrices with random elements.
class VendorGemm {
 public:
  virtual ~VendorGemm() = default;
  virtual std::string name() const = 0;  ///< such as "fp16.gemm"
  virtual Precision precision() const = 0;
  virtual Unit unit() const = 0;
  virtual std::string library() const = 0;
  /// Sizes worth trying. The launches keep pointers into this object.
  virtual std::vector<Candidate> candidates() = 0;
  /// Runs a candidate and compares some elements of C with sums in FP64; returns how many differ.
  virtual long wrong_results(std::size_t candidate) = 0;
  /// Sets A and B to zero: what the launches take without the power that random bits cost.
  virtual void clear_operands() = 0;
};

/// A product that can be measured. make() takes the memory for it, and throws std::runtime_error
/// where the device does not have the product.
struct VendorRoof {
  std::string name;
  std::function<std::unique_ptr<VendorGemm>()> make;
};

/// What this build was linked with; empty without a vendor library.
std::vector<VendorRoof> vendor_gemms();

}  // namespace roofline::measure
