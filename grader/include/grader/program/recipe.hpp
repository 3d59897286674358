// SPDX-License-Identifier: MIT
// How a build tree's submissions are compiled and linked: arguments that CMake gave the compiler.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// The commands that build one student program, as written by cmake/Submissions.cmake. Each is a
/// list of arguments; some contain kPlace, kObject or kProgram.
struct Recipe {
  std::vector<std::string> compile;
  std::vector<std::string> link;

  /// The folder whose topics/ holds the submission.
  static constexpr const char* kPlace = "@PLACE@";
  static constexpr const char* kObject = "@OBJECT@";
  static constexpr const char* kProgram = "@PROGRAM@";

  /// The libraries that it links, in order.
  std::vector<std::filesystem::path> libraries() const;
};

/// The package that a build tree's submissions are compiled against; their compiler sees nothing
/// else of the course.
std::filesystem::path sdk_of(const std::filesystem::path& build);

/// Reads the recipe of bin/TOPIC/NAME. @throws std::runtime_error saying what to build if the tree
/// has none.
Recipe read_recipe(const std::filesystem::path& build, const std::string& topic,
                   const std::string& name);

/// The arguments with folder, object and program filled in.
std::vector<std::string> filled(const std::vector<std::string>& arguments, const std::string& place,
                                const std::string& object, const std::string& program);

/// The options of a compile command without source, object and dependency file, so that something
/// else can be compiled in the same way.
std::vector<std::string> options_of(const std::vector<std::string>& compile);

/// The source of a compile command.
std::string source_of(const std::vector<std::string>& compile);

}  // namespace grader
