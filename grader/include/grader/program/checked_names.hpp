// SPDX-License-Identifier: MIT
// Name suffixes of programs with checked kernels, as in cmake/Topics.cmake.
#pragma once

namespace grader {

/// Suffix of a checked program and of its target.
inline constexpr const char* kChecked = "-checked";
/// The same for a kernel that does not compile with counting numbers: it can be checked and
/// profiled, but not counted.
inline constexpr const char* kCheckedPlain = "-checked-plain";

}  // namespace grader
