// SPDX-License-Identifier: MIT
// The parts of a core that have a peak of their own.
#pragma once

#include <string_view>

namespace roofline {

/// Which part of a core does the work.
enum class Unit { kVector, kMatrix };

/// Lower-case name as data files write it.
const char* to_string(Unit unit);

/// Reads such a name. Throws std::invalid_argument naming those that exist.
Unit parse_unit_name(std::string_view name);

}  // namespace roofline
