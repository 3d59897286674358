// SPDX-License-Identifier: MIT
// A checkout for the commands of one page, in which they find starters and no earlier results, and
// may change whatever they like.
#pragma once

#include <filesystem>
#include <string>

namespace docs {

class ExampleCourse {
 public:
  /// `root` is the project, `bin` its built programs. The topics are copied; everything else is
  /// linked, so a page may replace a link by another program, but never writes through one.
  ExampleCourse(const std::filesystem::path& root, const std::filesystem::path& bin);
  ExampleCourse(const ExampleCourse&) = delete;
  ExampleCourse& operator=(const ExampleCourse&) = delete;
  ~ExampleCourse();

  const std::filesystem::path& root() const { return root_; }
  /// The text with this folder's name replaced by one that a reader might have.
  std::string without_paths(std::string text) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path root_;
};

}  // namespace docs
