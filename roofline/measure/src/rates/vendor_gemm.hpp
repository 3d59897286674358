// SPDX-License-Identifier: MIT
// The vendor's matrix product as a roof: cuBLASLt, or a BLAS on the CPU.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/compute_unit.hpp"
#include "roofline/measurement.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// One precision of the vendor's product, for matrices with random elements, in one shape or
/// several.
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
  /// Sets A and B to zero, to time the launches without the power needed by random bits.
  virtual void clear_operands() = 0;
};

/// A product that can be measured. make() allocates its memory, and throws std::runtime_error if
/// the device does not have the product.
struct VendorRoof {
  std::string name;
  std::function<std::unique_ptr<VendorGemm>()> make;
};

/// Products of square matrices, with the library that this build was linked with; empty without
/// one.
std::vector<VendorRoof> vendor_gemms();

/// One product of a layer, not yet measured.
struct VendorProduct {
  MeasuredProduct product;
  std::function<std::unique_ptr<VendorGemm>()> make;
};

/// The products of a layer of Llama-3-8B, from 1 row to 8192, each with the candidates for its
/// shape. The weights come from DRAM in each launch, as in a model. NVIDIA GPUs only.
std::vector<VendorProduct> layer_products();

}  // namespace roofline::measure
