// SPDX-License-Identifier: MIT
// A first exercise of a kind, complete and passing, from templates/exercise/.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// What was written.
struct NewExercise {
  std::string id;
  std::vector<std::filesystem::path> files;  ///< new files, and existing ones that were extended
};

/// Writes the files of templates/exercise/KIND into a checkout: whole files, and parts appended to
/// existing files (before the end of an anonymous namespace). `topic` is a folder in topics/,
/// `name` the name of its program or function, preceded by the prefix of neighbouring ids, if any.
/// Writes nothing if something is wrong.
/// @throws std::runtime_error for an unknown topic or kind, an invalid name, and anything that
/// exists already.
NewExercise new_exercise(const std::filesystem::path& root, const std::string& kind,
                         const std::string& topic, const std::string& name);

}  // namespace grader
