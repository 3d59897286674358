// SPDX-License-Identifier: MIT
// Precompiled headers of GCC.
#include "grader/course_headers.hpp"

#include <fmt/format.h>

#include <fstream>

#include "grader/process.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// Where CMake's compile lines turn from options to files.
constexpr const char* kEndOfOptions = " -MD ";
constexpr const char* kLanguage = " -x c++ ";
constexpr const char* kHeader = "course.hpp";
constexpr double kSeconds = 120;
/// Compiling the headers takes as long as a program does; a few programs are not worth it.
constexpr int kProgramsBefore = 3;

/// What all kernels, and all functions, of the course include.
std::string headers_of(const std::string& source) {
  if (source.ends_with(".cu")) return "#include \"gpu/gpu.hpp\"\n#include \"harness/lab.hpp\"\n";
  return "#include <algorithm>\n#include \"harness/function.hpp\"\n";
}

/// What a line of the course's own prints.
std::string run_line(const std::string& line, const fs::path& folder, bool& failed) {
  Limits limits;
  limits.wall_seconds = kSeconds;
  limits.file_bytes = 0;
  std::vector<std::string> environment = clean_environment();
  environment.emplace_back("CCACHE_DISABLE=1");
  try {
    Child child({{"/bin/sh", "-c", line}, folder, environment}, limits);
    failed = child.wait() != 0;
    return child.raw_output();
  } catch (const ChildFailure&) {
    failed = true;
    return {};
  }
}

}  // namespace

CourseHeaders::CourseHeaders(const fs::path& folder, fs::path build)
    : folder_(fs::absolute(folder)), build_(std::move(build)) {}

fs::path CourseHeaders::compiled_for(const std::string& compile_line, const std::string& source) {
  const std::size_t end = compile_line.find(kEndOfOptions);
  if (end == std::string::npos) return {};
  const std::string options = compile_line.substr(0, end);
  const std::string headers = headers_of(source);
  const std::lock_guard guard(mutex_);
  Compiled& own = compiled_[options + "\n" + headers];
  if (++own.asked_for == kProgramsBefore) {
    const fs::path folder = folder_ / std::to_string(++folders_);
    if (compile(folder, options, headers)) own.folder = folder;
  }
  return own.folder;
}

std::string CourseHeaders::including(const std::string& compile_line) {
  std::string line = compile_line;
  return line.insert(line.find(kEndOfOptions), fmt::format(" -include {}/{}", kPlace, kHeader));
}

bool CourseHeaders::compile(const fs::path& folder, const std::string& options,
                            const std::string& headers) const {
  bool failed = false;
  // Other compilers have other ways; theirs would refuse GCC's file.
  const std::string version = run_line(options + " --version", build_, failed);
  if (failed || version.find("Free Software Foundation") == std::string::npos) return false;
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string header = (folder / kHeader).string();
  std::ofstream(header) << headers;
  // A language named before makes GCC link what comes out.
  std::string plain = options;
  if (const auto at = plain.find(kLanguage); at != std::string::npos) {
    plain.erase(at, std::string(kLanguage).size() - 1);
  }
  run_line(plain + " -x c++-header '" + header + "' -o '" + header + ".gch'", build_, failed);
  return !failed;
}

}  // namespace grader
