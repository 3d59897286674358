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
  std::vector<std::filesystem::path> files;  ///< new ones, and those that were added to
};

/// Writes the files of templates/exercise/KIND into a checkout: whole files, and parts that come at
/// the end of files that are there (before the end of an anonymous namespace). `topic` is a folder
/// of topics/, `name` what its program or function is called, with what neighbours' ids begin with
/// in front. Writes nothing where something is wrong.
/// @throws std::runtime_error for a topic or kind that is not there, a name that cannot be one, and
/// what exists already.
NewExercise new_exercise(const std::filesystem::path& root, const std::string& kind,
                         const std::string& topic, const std::string& name);

}  // namespace grader
