// SPDX-License-Identifier: MIT
// Numbers as profilers print them.
#pragma once

#include <optional>
#include <string_view>

namespace roofline {

/// A number that may carry thousands separators ("590,680,286"); empty for "n/a", "no data", an
/// empty cell, or anything else that is not one number.
std::optional<double> parse_counter(std::string_view text);

}  // namespace roofline
