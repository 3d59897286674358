// SPDX-License-Identifier: MIT
// Reads CMakeCache.txt, and the recipes of submissions.
#include "grader/program/build_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/files.hpp"
#include "base/text.hpp"
#include "grader/program/recipe.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

bool is_within(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

bool is_of_system(const fs::path& path) {
  for (const char* folder :
       {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/dev", "/proc", "/sys"}) {
    if (is_within(path, folder)) return true;
  }
  return false;
}

/// The absolute paths in an argument: all of it, or the part after -I, -L or a separator.
std::vector<std::string> absolute_paths(std::string_view argument) {
  constexpr std::string_view kBefore = "=,:", kEnd = ",:";
  std::vector<std::string> paths;
  for (std::size_t at = argument.find('/'); at != std::string_view::npos;
       at = argument.find('/', at)) {
    const std::string_view before = argument.substr(0, at);
    const bool begins = before.empty() || kBefore.find(before.back()) != std::string_view::npos ||
                        before == "-I" || before == "-L";
    const std::size_t end = std::min(argument.find_first_of(kEnd, at), argument.size());
    if (begins) paths.emplace_back(argument.substr(at, end - at));
    at = end;
  }
  return paths;
}

/// The arguments of every recipe of a build tree.
std::set<std::string> all_arguments(const fs::path& build) {
  std::set<std::string> arguments;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(sdk_of(build) / "programs", none)) {
    if (!entry.is_regular_file()) continue;
    for (std::string& argument : base::lines_of(base::read_file(entry.path()))) {
      arguments.insert(std::move(argument));
    }
  }
  return arguments;
}

}  // namespace

fs::path full_path(const fs::path& folder) {
  const fs::path full = fs::absolute(folder).lexically_normal();
  return full.has_filename() ? full : full.parent_path();
}

std::string cache_entry(const fs::path& build, const std::string& name) {
  std::ifstream in(build / "CMakeCache.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(name + ":")) return line.substr(line.find('=') + 1);
  }
  return {};
}

std::string backend_of(const fs::path& build) {
  const std::string backend = cache_entry(build, "ROOFLINE_BACKEND");
  return backend.empty() ? "cpu" : backend;
}

fs::path source_of_build(const fs::path& build) {
  const std::string source = cache_entry(build, "CMAKE_HOME_DIRECTORY");
  if (source.empty()) throw std::runtime_error(build.string() + " is not a build tree");
  return source;
}

std::vector<fs::path> folders_outside(const fs::path& build) {
  std::vector<fs::path> hidden = {source_of_build(build), full_path(build)};
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    hidden.emplace_back(home);
  }
  std::set<std::string> paths;
  for (const std::string& argument : all_arguments(build)) {
    for (std::string& path : absolute_paths(argument)) paths.insert(std::move(path));
  }
  std::set<fs::path> folders;
  for (const std::string& text : paths) {
    const fs::path path = fs::path(text).lexically_normal();
    std::error_code error;
    if (is_of_system(path) || is_within(path, hidden[0]) || is_within(path, hidden[1])) continue;
    if (!fs::exists(path, error)) continue;
    fs::path folder = fs::is_directory(path, error) ? path : path.parent_path();
    if (folder != path && folder.filename() == "bin") folder = folder.parent_path();
    if (folder.parent_path() == folder.root_path()) continue;
    if (std::ranges::any_of(hidden, [&](const auto& h) { return is_within(h, folder); })) continue;
    folders.insert(folder);
  }
  return {folders.begin(), folders.end()};
}

}  // namespace grader
