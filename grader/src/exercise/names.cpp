// SPDX-License-Identifier: MIT
// Suggests ids that are like what was typed.
#include "grader/exercise/names.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"

namespace grader {
namespace {

/// As many leading words of an id as `text` has, separated by dots.
std::string_view same_words(std::string_view id, std::string_view text) {
  std::size_t end = 0;
  for (auto dots = std::count(text.begin(), text.end(), '.'); dots >= 0; --dots) {
    end = id.find('.', end);
    if (end == std::string_view::npos) return id;
    ++end;
  }
  return id.substr(0, end - 1);
}

/// Names similar to what was typed, best first; empty if nothing is similar.
std::vector<std::string> near_names(const std::vector<std::string>& ids, std::string_view typed) {
  constexpr std::size_t kMostNames = 3;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& id : ids) {
    const std::string name(same_words(id, typed));
    // The beginning of a name is as good as the name.
    const std::size_t errors =
        !typed.empty() && name.starts_with(typed) ? 0 : base::edit_distance(typed, name);
    const std::pair candidate{errors, name};
    if (errors > 1 + typed.size() / 6) continue;
    if (std::find(near.begin(), near.end(), candidate) == near.end()) near.push_back(candidate);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(near.size(), kMostNames); ++i) {
    names.push_back(std::move(near[i].second));
  }
  return names;
}

}  // namespace

std::string unknown_exercise(const std::vector<std::string>& ids, std::string_view typed,
                             std::string_view where) {
  const std::vector<std::string> names = near_names(ids, typed);
  std::string message = "no exercise is called " + std::string(typed);
  if (!names.empty()) message += "; did you mean " + base::joined(names, " or ") + "?";
  if (where.empty()) return message;
  return message + (names.empty() ? "; " : " ") + std::string(where);
}

void require_exercises(const std::vector<Topic>& topics, const std::vector<std::string>& chosen) {
  std::vector<std::string> ids;
  std::vector<std::string> unknown = chosen;
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      ids.push_back(exercise.id);
      std::erase_if(unknown, [&](const std::string& name) { return is_chosen(exercise, {name}); });
    }
  }
  for (std::string& name : unknown) name = unknown_exercise(ids, name);
  if (!unknown.empty()) throw std::runtime_error(base::joined(unknown, "\n"));
}

}  // namespace grader
