// SPDX-License-Identifier: MIT
// Hashes of the course's files.
#include "grader/batch/course_keys.hpp"

#include "grader/batch/content.hpp"
#include "grader/program/recipe.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// The running grader program; empty on systems that cannot tell.
fs::path executable() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace

std::string tools_key(const Course& course) {
  return hash_of_files({executable(), course.build / "machine.json", sdk_of(course.build)});
}

std::map<std::string, std::string> course_keys(const Course& course, const std::string& tools,
                                               const std::vector<Topic>& topics,
                                               std::uint64_t seed) {
  const std::string all = tools + std::to_string(seed);
  const fs::path bin = course.build / "bin";
  std::map<std::string, std::string> keys;
  for (const Topic& topic : topics) {
    if (topic.exercises.empty()) continue;
    keys[topic.name] =
        sha256(all + hash_of_files({topic.folder / "exercises.toml", bin / topic.name / "oracle",
                                    bin / "solutions" / topic.name}));
  }
  return keys;
}

}  // namespace grader
