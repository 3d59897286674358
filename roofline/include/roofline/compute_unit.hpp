// SPDX-License-Identifier: MIT
// The units of a core that have their own peak.
#pragma once

#include <string_view>

namespace roofline {

/// The unit of a core that does the work.
enum class Unit { kVector, kMatrix };

/// Lower-case name as data files write it.
const char* to_string(Unit unit);

/// Parses such a name. Throws std::invalid_argument listing the valid ones.
Unit parse_unit_name(std::string_view name);

}  // namespace roofline
