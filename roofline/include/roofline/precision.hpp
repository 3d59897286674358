// SPDX-License-Identifier: MIT
// Number formats: their names, and the space that one element takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The number formats that peaks and traffic are stated in.
enum class Precision {
  kFp64,
  kFp32,
  kTf32,
  kFp16,
  kBf16,
  kFp8,
  kFp6,
  kFp4,
  kInt32,
  kInt8,
  kInt4,
};

/// Every precision, widest first.
const std::vector<Precision>& all_precisions();

/// Bits that one element takes in memory. TF32 is a compute format: its operands are stored as
/// FP32.
int storage_bits(Precision precision);

/// Bytes that one element takes in memory; 0.5 for four-bit formats, without their scales.
double bytes_per_element(Precision precision);

/// True for formats whose work is counted in OP rather than FLOP.
bool is_integer(Precision precision);

/// Lower-case name as data files write it, such as "fp16".
std::string_view to_string(Precision precision);

/// Name as people write it, such as "FP16".
std::string display_name(Precision precision);

/// Reads a name in any case. Throws std::invalid_argument listing the names that exist.
Precision parse_precision(std::string_view name);

}  // namespace roofline
