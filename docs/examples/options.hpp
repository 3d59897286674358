// SPDX-License-Identifier: MIT
// Checks that a program's page documents all its commands and options.
#pragma once

#include <string>
#include <vector>

namespace docs {

/// What docs/pages/tool_PROGRAM.md lacks: it needs a section "## PROGRAM COMMAND" for each command
/// of the program, with an example and its output, and, outside outputs, each option of the
/// command. The program is found on PATH.
std::vector<std::string> gaps_of(const std::string& program, const std::string& page);

}  // namespace docs
