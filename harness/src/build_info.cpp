// SPDX-License-Identifier: MIT
// Compiler, commit and time, found without starting other programs.
#include "harness/build_info.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/files.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> git_folder() {
  std::error_code error;
  for (fs::path folder = fs::current_path(error); !error; folder = folder.parent_path()) {
    if (fs::is_directory(folder / ".git", error)) return folder / ".git";
    if (folder == folder.parent_path()) return std::nullopt;
  }
  return std::nullopt;
}

std::string packed_commit(const fs::path& folder, const std::string& reference) {
  std::ifstream in(folder / "packed-refs");
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with(' ' + reference)) return line.substr(0, line.find(' '));
  }
  return "unknown";
}

}  // namespace

std::string compiler_name() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown compiler";
#endif
}

std::string current_commit() {
  const auto folder = git_folder();
  if (!folder) return "unknown";
  const std::string head = base::first_line(*folder / "HEAD");
  if (!head.starts_with("ref: ")) return head.empty() ? "unknown" : head;
  const std::string reference = head.substr(5);
  const std::string commit = base::first_line(*folder / reference);
  return commit.empty() ? packed_commit(*folder, reference) : commit;
}

std::string current_time() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace harness
