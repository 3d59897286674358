// SPDX-License-Identifier: MIT
// How a build tree's submissions are compiled and linked: arguments that CMake gave the compiler.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// The commands that make one program of a student, as cmake/Submissions.cmake has them written
/// down. Each is a list of arguments; some hold kPlace, kObject or kProgram.
struct Recipe {
  std::vector<std::string> compile;
  std::vector<std::string> link;

  /// The folder whose topics/ holds what was handed in.
  static constexpr const char* kPlace = "@PLACE@";
  static constexpr const char* kObject = "@OBJECT@";
  static constexpr const char* kProgram = "@PROGRAM@";

  /// The libraries that it links, in their order.
  std::vector<std::filesystem::path> libraries() const;
};

/// The package that a build tree's submissions are compiled against; nothing else of the course is
/// seen by their compiler.
std::filesystem::path sdk_of(const std::filesystem::path& build);

/// Reads the recipe of bin/TOPIC/NAME. @throws std::runtime_error, with what to build, where the
/// tree has none.
Recipe read_recipe(const std::filesystem::path& build, const std::string& topic,
                   const std::string& name);

/// The arguments with a folder, an object and a program in their places.
std::vector<std::string> filled(const std::vector<std::string>& arguments, const std::string& place,
                                const std::string& object, const std::string& program);

/// The options of a compile command alone: without source, object and dependencies, so that
/// something else can be compiled in the same way.
std::vector<std::string> options_of(const std::vector<std::string>& compile);

/// The source of a compile command.
std::string source_of(const std::vector<std::string>& compile);

}  // namespace grader
