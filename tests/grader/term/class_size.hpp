// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>

/// Number of students: 120, or the value of ROOFLINE_STUDENTS. The nightly run has 500.
inline const std::size_t kStudents = [] {
  const char* asked = std::getenv("ROOFLINE_STUDENTS");
  return asked == nullptr ? std::size_t{120} : std::stoul(asked);
}();
