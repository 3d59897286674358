// SPDX-License-Identifier: MIT
// What a recorded measurement states about the program that made it.
#pragma once

#include <string>

namespace harness {

/// Name and version of the compiler that built the harness, such as "g++ 12.2.0".
std::string compiler_name();
/// Commit of the checkout that contains the working folder, or "unknown".
std::string current_commit();
/// The current time, such as "2026-01-31T12:00:00Z".
std::string current_time();

}  // namespace harness
