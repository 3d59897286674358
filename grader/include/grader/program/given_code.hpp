// SPDX-License-Identifier: MIT
// Advice for an access that the checker reported in code that the student was given.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace grader {

/// Replaces the checker's advice to add a guard (gpu/cpu/check/checker.cpp) if the line that it
/// names is in one of the sources, outside all parts that are marked as the student's. Any other
/// text stays as it is, also if a source marks no parts.
std::string with_advice_on_given_code(std::string text,
                                      std::span<const std::filesystem::path> sources);

}  // namespace grader
