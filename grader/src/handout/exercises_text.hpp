// SPDX-License-Identifier: MIT
// A topic's exercises.toml as it is handed out.
#pragma once

#include <string>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "grader/exercise/variant.hpp"

namespace grader {

/// exercises.toml without its misconceptions (a wrong value together with what is wrong with it
/// gives the answer away), and the places in it where numbers are drawn.
class ExercisesText {
 public:
  /// `toml` is the topic's file, `name` its name in messages.
  /// @throws std::runtime_error if its misconceptions cannot be removed, or if a number is not
  /// where it is declared.
  ExercisesText(const Topic& topic, const std::string& toml, const std::string& name);

  /// The text with the variant's numbers as the canonical ones.
  std::string with_numbers_of(const Variant& variant) const;

 private:
  /// A number in the text: its place, and the drawn value.
  struct Place {
    std::size_t line = 0;
    std::size_t column = 0;
    std::size_t length = 0;
    std::string exercise;
    ExerciseParameter parameter;
  };

  void find_places(const Topic& topic, const std::string& text, const std::string& name);

  std::vector<std::string> lines_;
  std::vector<Place> places_;  ///< from the end, so that earlier columns do not shift
};

}  // namespace grader
