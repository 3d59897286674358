# SPDX-License-Identifier: MIT
# Writes a header with compiler, flags and commit; leaves the file alone if nothing changed.
find_package(Git QUIET)
set(commit "unknown")
if(GIT_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE_DIR}" rev-parse --short=12 HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit "${head}")
  endif()
endif()
string(STRIP "${FLAGS}" FLAGS)
file(CONFIGURE OUTPUT "${HEADER}" @ONLY CONTENT [[
// Written by the build: what this program was built with.
#pragma once

namespace roofline::measure {

inline constexpr const char* kCompiler = "@COMPILER@";
inline constexpr const char* kFlags = "@FLAGS@";
inline constexpr const char* kCommit = "@commit@";

}  // namespace roofline::measure
]])
