// SPDX-License-Identifier: MIT
// Checks of numeric input, with one sentence saying which value is wrong and why.
#pragma once

#include <string_view>

namespace roofline {

/// Returns value if it is finite and above zero; otherwise throws std::invalid_argument naming
/// `what`.
double require_positive(double value, std::string_view what);

/// Returns value if it is finite and not below zero; otherwise throws std::invalid_argument.
double require_not_negative(double value, std::string_view what);

/// Returns value if it is in (0, 1]; otherwise throws std::invalid_argument.
double require_fraction(double value, std::string_view what);

}  // namespace roofline
