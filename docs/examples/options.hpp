// SPDX-License-Identifier: MIT
// Whether the page of a program explains it whole.
#pragma once

#include <string>
#include <vector>

namespace docs {

/// What docs/pages/tool_PROGRAM.md lacks: a section "## PROGRAM COMMAND" for each command that the
/// program has, in it an example with its output, and, outside of outputs, each option of the
/// command. The program is found on PATH.
std::vector<std::string> gaps_of(const std::string& program, const std::string& page);

}  // namespace docs
