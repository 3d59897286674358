// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>

/// How many students play: 120, or as many as ROOFLINE_STUDENTS says. By night there are 500.
inline const std::size_t kStudents = [] {
  const char* asked = std::getenv("ROOFLINE_STUDENTS");
  return asked == nullptr ? std::size_t{120} : std::stoul(asked);
}();
