// SPDX-License-Identifier: MIT
// The course's headers, compiled once for all submissions of a batch.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace grader {

/// Reading headers is most of what compiling a short kernel takes. With GCC they are compiled
/// beforehand and included first; other compilers read them each time. Threads may share one
/// object.
class CourseHeaders {
 public:
  /// Where the folder of compiled headers is seen inside the sandbox.
  static constexpr const char* kPlace = "/course-headers";

  /// `folder` gets the compiled headers.
  explicit CourseHeaders(const std::filesystem::path& folder);

  /// Compiles the headers that a source of the course begins with, in the way of the compile
  /// command, once enough programs have asked. Returns the folder to be seen at kPlace; empty when
  /// there is none yet, or none for this compiler.
  std::filesystem::path compiled_for(const std::vector<std::string>& compile,
                                     const std::string& source);
  /// The compile command that includes them first.
  static std::vector<std::string> including(std::vector<std::string> compile);

 private:
  bool compile(const std::filesystem::path& folder, const std::vector<std::string>& options,
               const std::string& headers) const;

  std::filesystem::path folder_;
  struct Compiled {
    int asked_for = 0;
    std::filesystem::path folder;
  };
  std::map<std::string, Compiled> compiled_;  ///< by options and headers
  int folders_ = 0;
  std::mutex mutex_;
};

}  // namespace grader
