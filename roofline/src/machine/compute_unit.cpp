// SPDX-License-Identifier: MIT
// Names of the units of a core.
#include "roofline/compute_unit.hpp"

#include <stdexcept>
#include <string>

namespace roofline {

const char* to_string(Unit unit) {
  return unit == Unit::kVector ? "vector" : "matrix";
}

Unit parse_unit_name(std::string_view name) {
  if (name == "vector") return Unit::kVector;
  if (name == "matrix") return Unit::kMatrix;
  throw std::invalid_argument("unknown unit '" + std::string(name) + "'; it is vector or matrix");
}

}  // namespace roofline
