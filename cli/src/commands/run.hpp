// SPDX-License-Identifier: MIT
// Runs another program of the course in this terminal.
#pragma once

#include <string>
#include <vector>

namespace cli {

/// Starts arguments[0] with this process's standard streams and waits. Returns its exit status, or
/// 128 plus the signal that ended it, as a shell does.
/// @throws std::runtime_error when it cannot be started.
int run(const std::vector<std::string>& arguments);

}  // namespace cli
