// SPDX-License-Identifier: MIT
// Checks of a lab's entry against its truth, for the Catch2 checks of the topics.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace support {

/// An entry of the lab that is linked in, and how close to its truth it must come.
struct EntryCheck {
  std::string_view entry;
  std::uint64_t seed = 0;  ///< of the inputs
  double relative_tolerance = 0;
  double absolute_tolerance = 0;
};

/// Requires the right results at every size; with special values NaN and infinities are among the
/// inputs.
inline void require_right(const EntryCheck& check, std::initializer_list<std::int64_t> sizes,
                          bool special_values = false) {
  for (const std::int64_t n : sizes) {
    const std::string wrong =
        harness::check_entry(check.entry, n, check.seed, check.relative_tolerance, special_values,
                             check.absolute_tolerance);
    INFO(check.entry << ", n = " << n << "\n" << wrong);
    REQUIRE(wrong.empty());
  }
}

}  // namespace support
