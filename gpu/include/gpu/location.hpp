// SPDX-License-Identifier: MIT
// The place in the caller's source that an error message names.
#pragma once

namespace gpu {

/// A file and line. std::source_location would do, but clang 14 lacks the builtin behind it.
struct SourceLocation {
  const char* file = "";
  int line = 0;

  /// As a default argument this is the place of the call.
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace gpu
