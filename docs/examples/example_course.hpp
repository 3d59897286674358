// SPDX-License-Identifier: MIT
// A checkout in which the commands of one page run, so that they find starters, no earlier results,
// and may change what they like.
#pragma once

#include <filesystem>
#include <string>

namespace docs {

class ExampleCourse {
 public:
  /// `root` is the project, `bin` its built programs. The topics are copied; all else is linked,
  /// so a page may put another program in a link's place, and never write into one.
  ExampleCourse(const std::filesystem::path& root, const std::filesystem::path& bin);
  ExampleCourse(const ExampleCourse&) = delete;
  ExampleCourse& operator=(const ExampleCourse&) = delete;
  ~ExampleCourse();

  const std::filesystem::path& root() const { return root_; }
  /// A text with this folder's name as a reader's own would be.
  std::string without_paths(std::string text) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path root_;
};

}  // namespace docs
