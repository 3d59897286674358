// SPDX-License-Identifier: MIT
// Removes misconceptions from exercises.toml, and fills in drawn numbers.
#include "handout/exercises_text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "base/text.hpp"

namespace grader {
namespace {

bool is_header(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string::npos && line[first] == '[';
}

std::string without_misconceptions(const std::string& toml, const std::string& name) {
  std::istringstream in(toml);
  std::string result;
  bool inside = false;
  bool in_array = false;
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find_first_not_of(" \t");
    const std::string text = first == std::string::npos ? "" : line.substr(first);
    if (text.starts_with("misconceptions") && text.find('=') != std::string::npos) in_array = true;
    if (in_array) {
      if (text.ends_with("]")) in_array = false;
      continue;
    }
    if (is_header(line)) inside = text.starts_with("[[exercise.misconceptions]]");
    if (!inside) result += line + '\n';
  }
  if (in_array || result.find("misconception") != std::string::npos) {
    throw std::runtime_error(name + ": its misconceptions could not be taken out");
  }
  return result;
}

/// Reads one of TOML's decimal notations: 8e9, 8_000_000_000, +8. Anything else is 0.
double number_in(std::string text) {
  std::erase(text, '_');
  if (text.starts_with('+')) text.erase(0, 1);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

ExercisesText::ExercisesText(const Topic& topic, const std::string& toml, const std::string& name) {
  const std::string text = without_misconceptions(toml, name);
  lines_ = base::lines_of(text);
  find_places(topic, text, name);
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return std::tie(a.line, a.column) > std::tie(b.line, b.column);
  });
}

void ExercisesText::find_places(const Topic& topic, const std::string& text,
                                const std::string& name) {
  const toml::table root = toml::parse(text);
  const toml::array* tables = root["exercise"].as_array();
  for (std::size_t i = 0; tables != nullptr && i < tables->size(); ++i) {
    const toml::table& table = *tables->get(i)->as_table();
    const auto exercise = std::find_if(
        topic.exercises.begin(), topic.exercises.end(),
        [&](const Exercise& own) { return table["id"].value<std::string>() == own.id; });
    if (exercise == topic.exercises.end()) continue;
    for (const ExerciseParameter& parameter : exercise->parameters()) {
      // A parameter with same_as, or without choices, has no value to draw here.
      const auto canonical = table["parameters"][parameter.name]["canonical"];
      if (!canonical) continue;
      const auto begin = canonical.node()->source().begin;
      Place place{begin.line - 1, begin.column - 1, 0, exercise->id, parameter};
      const std::string& line = lines_.at(place.line);
      const auto end = std::min(line.find_first_of(",} \t", place.column), line.size());
      place.length = end - place.column;
      if (number_in(line.substr(place.column, place.length)) != parameter.canonical) {
        throw std::runtime_error(
            fmt::format("{}: the number {} of {} is not found in line {}, so it cannot be "
                        "replaced; write it as digits",
                        name, parameter.name, exercise->id, place.line + 1));
      }
      places_.push_back(std::move(place));
    }
  }
}

std::string ExercisesText::with_numbers_of(const Variant& variant) const {
  std::vector<std::string> lines = lines_;
  for (const Place& place : places_) {
    lines[place.line].replace(
        place.column, place.length,
        fmt::format("{}", value_of(place.parameter, place.exercise, variant)));
  }
  std::string result;
  for (const std::string& line : lines) result += line + '\n';
  return result;
}

}  // namespace grader
