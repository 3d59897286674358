// SPDX-License-Identifier: MIT
// Names of programs with checked kernels, as cmake/Topics.cmake gives them.
#pragma once

namespace grader {

/// What the names of a checked program and of its target end with.
inline constexpr const char* kChecked = "-checked";
/// The same for a kernel that does not compile with numbers that count: it can be checked and
/// profiled, not counted.
inline constexpr const char* kCheckedPlain = "-checked-plain";

}  // namespace grader
