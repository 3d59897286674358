// SPDX-License-Identifier: MIT
// Precompiled headers with GCC.
#include "grader/program/course_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/file_lock.hpp"
#include "base/siphash.hpp"
#include "grader/program/process.hpp"
#include "grader/program/recipe.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeader = "course.hpp";
constexpr double kSeconds = 120;
/// Compiling the headers takes as long as compiling a program, so it does not pay for a few of
/// them.
constexpr int kProgramsBefore = 3;

/// The headers that all kernels, or all functions, of the course include.
std::string headers_of(const std::string& source) {
  if (source.ends_with(".cu")) return "#include \"gpu/gpu.hpp\"\n#include \"harness/lab.hpp\"\n";
  return "#include <algorithm>\n#include \"harness/function.hpp\"\n";
}

/// The output of one of the course's own commands.
std::string run(std::vector<std::string> command, const fs::path& folder, bool& failed) {
  Limits limits;
  limits.wall_seconds = kSeconds;
  limits.file_bytes = 0;
  std::vector<std::string> environment = clean_environment();
  environment.emplace_back("CCACHE_DISABLE=1");
  try {
    Child child({std::move(command), folder, environment}, limits);
    failed = child.wait() != 0;
    return child.raw_output();
  } catch (const ChildFailure&) {
    failed = true;
    return {};
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + '\n';
  return text;
}

}  // namespace

CourseHeaders::CourseHeaders(const fs::path& folder, const std::string& key)
    : folder_(fs::absolute(folder) / key) {
  std::error_code error;  // another process may remove the same
  for (const auto& entry : fs::directory_iterator(folder_.parent_path(), error)) {
    if (entry.path() != folder_) fs::remove_all(entry.path(), error);
  }
}

fs::path CourseHeaders::compiled_for(const std::vector<std::string>& compile_command,
                                     const std::string& source) {
  const std::vector<std::string> options = options_of(compile_command);
  const std::string headers = headers_of(source);
  const std::lock_guard guard(mutex_);
  fs::create_directories(folder_);
  const auto [place, is_new] = compiled_.try_emplace(joined(options) + headers);
  Compiled& own = place->second;
  if (is_new) own.folder = folder_for(options, headers);
  if (own.folder.empty() || fs::exists(own.folder)) return own.folder;
  if (++own.asked_for < kProgramsBefore) return {};
  // While another process compiles them, this one does without.
  const auto lock = base::FileLock::try_lock(own.folder.string() + ".lock");
  if (!lock) return {};
  if (!fs::exists(own.folder) && !compile(own.folder, options, headers)) own.folder.clear();
  return own.folder;
}

fs::path CourseHeaders::folder_for(const std::vector<std::string>& options,
                                   const std::string& headers) const {
  if (options.empty()) return {};
  bool failed = false;
  // Other compilers have other ways; theirs would refuse GCC's file.
  const std::string version = run({options.front(), "--version"}, folder_, failed);
  if (failed || version.find("Free Software Foundation") == std::string::npos) return {};
  const std::uint64_t name = base::siphash({}, version + joined(options) + headers);
  return folder_ / fmt::format("{:016x}", name);
}

std::vector<std::string> CourseHeaders::including(std::vector<std::string> compile) {
  const std::vector<std::string> first = {"-include", fmt::format("{}/{}", kPlace, kHeader)};
  compile.insert(compile.begin() + 1, first.begin(), first.end());
  return compile;
}

bool CourseHeaders::compile(const fs::path& folder, const std::vector<std::string>& options,
                            const std::string& headers) {
  const fs::path begun = folder.string() + ".begun";
  fs::remove_all(begun);
  fs::create_directories(begun);
  const std::string header = (begun / kHeader).string();
  std::ofstream(header) << headers;
  // With a language given before the header, GCC would link the output.
  std::vector<std::string> command = options;
  const auto language = std::find(command.begin(), command.end(), "-x");
  if (language != command.end() && language + 1 != command.end()) {
    command.erase(language, language + 2);
  }
  command.insert(command.end(), {"-x", "c++-header", header, "-o", header + ".gch"});
  bool failed = false;
  run(std::move(command), begun, failed);
  if (failed) return false;
  std::error_code error;  // a batch with a newer course may have removed it
  fs::rename(begun, folder, error);
  return !error;
}

}  // namespace grader
