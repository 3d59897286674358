// SPDX-License-Identifier: MIT
// Finding and loading machine files of either kind.
#include <algorithm>
#include <stdexcept>

#include "machine_toml.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"

namespace roofline {

Machine load_machine(const std::filesystem::path& file) {
  if (file.extension() == ".toml") return load_machine_toml(file);
  if (file.extension() == ".json") return machine_from_report(read_report(file));
  throw std::runtime_error("a machine file ends in .toml (data) or .json (measured): " +
                           file.string());
}

std::vector<std::filesystem::path> machine_files(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  if (error) {
    throw std::runtime_error("cannot read the machine folder " + folder.string() + ": " +
                             error.message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path resolve_machine(std::string_view name_or_path,
                                      const std::filesystem::path& folder) {
  std::filesystem::path path(name_or_path);
  if (std::filesystem::is_regular_file(path)) return path;
  std::string known;
  for (const auto& file : machine_files(folder)) {
    if (file.stem() == path) return file;
    known += (known.empty() ? "" : ", ") + file.stem().string();
  }
  throw std::runtime_error("no machine '" + std::string(name_or_path) +
                           "': it is neither a file nor one of " + known);
}

}  // namespace roofline
