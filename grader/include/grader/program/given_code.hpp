// SPDX-License-Identifier: MIT
// Advice on an access that the checker refused in code that the student was given.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace grader {

/// Puts other advice in the place of the checker's guard (gpu/cpu/check/checker.cpp) where the line
/// it names stands in one of the sources and outside of all parts that this marks as the student's.
/// Any other text stays, and so does one about a source that marks no parts.
std::string with_advice_on_given_code(std::string text,
                                      std::span<const std::filesystem::path> sources);

}  // namespace grader
