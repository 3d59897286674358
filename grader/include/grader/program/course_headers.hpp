// SPDX-License-Identifier: MIT
// The course's headers, compiled once for all submissions of a class.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace grader {

/// Reading headers is most of what compiling a short kernel takes. With GCC they are compiled
/// beforehand and included first; other compilers read them each time. Threads may share one
/// object, and processes one folder.
class CourseHeaders {
 public:
  /// Where the sandbox shows the folder of compiled headers.
  static constexpr const char* kPlace = "/course-headers";

  /// `folder` gets the compiled headers; `key` names the state of what they include. Those of
  /// another state are removed.
  CourseHeaders(const std::filesystem::path& folder, const std::string& key);

  /// Compiles the headers that a source of the course begins with, in the way of the compile
  /// command, once enough programs of this process have asked; at once where another one has
  /// compiled them. Returns the folder to be seen at kPlace; empty when there is none yet, or none
  /// for this compiler.
  std::filesystem::path compiled_for(const std::vector<std::string>& compile,
                                     const std::string& source);
  /// The compile command with these headers included first.
  static std::vector<std::string> including(std::vector<std::string> compile);

 private:
  std::filesystem::path folder_for(const std::vector<std::string>& options,
                                   const std::string& headers) const;
  /// False where the compiler fails.
  static bool compile(const std::filesystem::path& folder, const std::vector<std::string>& options,
                      const std::string& headers);

  std::filesystem::path folder_;
  struct Compiled {
    int asked_for = 0;
    std::filesystem::path folder;  ///< where they are, or will be; empty for another compiler
  };
  std::map<std::string, Compiled> compiled_;  ///< by options and headers
  std::mutex mutex_;
};

}  // namespace grader
