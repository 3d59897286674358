// SPDX-License-Identifier: MIT
// Precompiled headers of GCC.
#include "grader/program/course_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "grader/program/process.hpp"
#include "grader/program/recipe.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeader = "course.hpp";
constexpr double kSeconds = 120;
/// Compiling the headers takes as long as a program does; a few programs are not worth it.
constexpr int kProgramsBefore = 3;

/// What all kernels, and all functions, of the course include.
std::string headers_of(const std::string& source) {
  if (source.ends_with(".cu")) return "#include \"gpu/gpu.hpp\"\n#include \"harness/lab.hpp\"\n";
  return "#include <algorithm>\n#include \"harness/function.hpp\"\n";
}

/// What a command of the course's own prints.
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

CourseHeaders::CourseHeaders(const fs::path& folder) : folder_(fs::absolute(folder)) {}

fs::path CourseHeaders::compiled_for(const std::vector<std::string>& compile_command,
                                     const std::string& source) {
  const std::vector<std::string> options = options_of(compile_command);
  const std::string headers = headers_of(source);
  const std::lock_guard guard(mutex_);
  Compiled& own = compiled_[joined(options) + headers];
  if (++own.asked_for == kProgramsBefore) {
    const fs::path folder = folder_ / std::to_string(++folders_);
    if (compile(folder, options, headers)) own.folder = folder;
  }
  return own.folder;
}

std::vector<std::string> CourseHeaders::including(std::vector<std::string> compile) {
  const std::vector<std::string> first = {"-include", fmt::format("{}/{}", kPlace, kHeader)};
  compile.insert(compile.begin() + 1, first.begin(), first.end());
  return compile;
}

bool CourseHeaders::compile(const fs::path& folder, const std::vector<std::string>& options,
                            const std::string& headers) const {
  if (options.empty()) return false;
  fs::create_directories(folder);
  bool failed = false;
  // Other compilers have other ways; theirs would refuse GCC's file.
  const std::string version = run({options.front(), "--version"}, folder, failed);
  if (failed || version.find("Free Software Foundation") == std::string::npos) return false;
  const std::string header = (folder / kHeader).string();
  std::ofstream(header) << headers;
  // A language named before makes GCC link what comes out.
  std::vector<std::string> command = options;
  const auto language = std::find(command.begin(), command.end(), "-x");
  if (language != command.end() && language + 1 != command.end()) {
    command.erase(language, language + 2);
  }
  command.insert(command.end(), {"-x", "c++-header", header, "-o", header + ".gch"});
  run(std::move(command), folder, failed);
  return !failed;
}

}  // namespace grader
