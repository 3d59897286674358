// SPDX-License-Identifier: MIT
// Files are found relative to the program, so that a copy of an installed folder works anywhere.
#include "base/program.hpp"

#include <cstdlib>
#include <stdexcept>

namespace base {

namespace fs = std::filesystem;

std::string version() {
  return ROOFLINE_VERSION;
}

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

fs::path data_folder() {
  if (const char* chosen = std::getenv("ROOFLINE_DATA")) return chosen;
  const fs::path installed = (program_folder() / "../share/roofline-labs/data").lexically_normal();
  std::error_code error;
  for (const fs::path& folder : {installed, fs::path(RL_DATA_FOLDER)}) {
    if (fs::is_directory(folder / "machines", error)) return folder;
  }
  throw std::runtime_error("the machine files are neither in " + installed.string() + " nor in " +
                           RL_DATA_FOLDER +
                           "; set ROOFLINE_DATA to the folder data of Roofline Labs");
}

}  // namespace base
