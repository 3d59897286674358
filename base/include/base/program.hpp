// SPDX-License-Identifier: MIT
// The running program: its version, its place, and the files that belong to it.
#pragma once

#include <filesystem>
#include <string>

namespace base {

/// The version of Roofline Labs, such as "0.1.0".
std::string version();

/// The folder of the running program's file, with links resolved; empty on systems that cannot
/// tell.
std::filesystem::path program_folder();

/// The folder data with machines, models and measurements: $ROOFLINE_DATA; else that of the prefix
/// the program was installed to (share/roofline-labs/data next to its bin/); else that of the
/// checkout it was built from. @throws std::runtime_error saying what to set when there is none.
std::filesystem::path data_folder();

}  // namespace base
