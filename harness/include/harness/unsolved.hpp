// SPDX-License-Identifier: MIT
// What a starter does instead of silently returning a wrong result.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace harness {

/// Thrown by a part of a lab that the student has yet to write.
class Unsolved : public std::runtime_error {
 public:
  Unsolved(std::string_view exercise, std::string_view section)
      : std::runtime_error("unsolved: " + std::string(exercise) + ", see " + std::string(section)),
        exercise_(exercise),
        section_(section) {}

  /// Id of the exercise, such as "02.saxpy.kernel".
  const std::string& exercise() const { return exercise_; }
  /// Where the write-up explains it, such as "topics/02-peaks/README.md#saxpy".
  const std::string& section() const { return section_; }

 private:
  std::string exercise_;
  std::string section_;
};

/// Reports that an exercise is not solved yet. @throws Unsolved always.
[[noreturn]] inline void unsolved(std::string_view exercise, std::string_view section) {
  throw Unsolved(exercise, section);
}

}  // namespace harness
