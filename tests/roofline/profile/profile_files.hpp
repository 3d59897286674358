// SPDX-License-Identifier: MIT
// Where the machines are, and files as a profiler would have written them.
#pragma once

#include <filesystem>

#include "support/temporary_folder.hpp"

inline const std::filesystem::path kMachines = RL_MACHINE_FOLDER;

using support::written;
