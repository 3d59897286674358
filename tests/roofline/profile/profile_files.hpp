// SPDX-License-Identifier: MIT
// Where the machines are, and files as a profiler would have written them.
#pragma once

#include <filesystem>
#include <string>

#include "base/files.hpp"
#include "support/temporary_folder.hpp"

inline const std::filesystem::path kMachines = RL_MACHINE_FOLDER;

inline std::filesystem::path written(const std::string& name, const std::string& content) {
  const auto path = support::scratch_folder() / ("roofline-profile-" + name);
  std::filesystem::remove(path);
  base::write_file_atomically(path, content);
  return path;
}
