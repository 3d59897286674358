// SPDX-License-Identifier: MIT
// The location of the machines, and files in the formats of profilers.
#pragma once

#include <filesystem>

#include "support/temporary_folder.hpp"

inline const std::filesystem::path kMachines = RL_MACHINE_FOLDER;

using support::written;
