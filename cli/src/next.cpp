// SPDX-License-Identifier: MIT
// ./lab next and ./lab list.
#include <algorithm>
#include <cstdio>
#include <map>

#include "commands.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

std::string describe(const Place& place) {
  const std::string file = place.file.string();
  return place.line > 0 ? file + ", line " + std::to_string(place.line) : file;
}

void show(const Course& course, const grader::Exercise& exercise) {
  std::printf("%s  %s  (%s, %g point%s)\n", bold(exercise.id).c_str(), bold(exercise.title).c_str(),
              std::string(grader::name_of(exercise.kind)).c_str(), exercise.points,
              exercise.points == 1 ? "" : "s");
  std::printf("%s", wrap(exercise.task, 2).c_str());
  std::printf("  edit   %s\n", describe(course.place_of(exercise)).c_str());
  std::printf("  read   topics/%s/README.md#%s\n", exercise.topic.c_str(),
              exercise.writeup.c_str());
  std::printf("  check  ./lab check %s\n", exercise.id.c_str());
}

}  // namespace

int next(const Course& course) {
  const auto& all = course.exercises();
  const auto first = std::find_if(all.begin(), all.end(), [&](const grader::Exercise& exercise) {
    return !course.is_solved(exercise);
  });
  if (first == all.end()) {
    std::printf("All %zu exercises are solved.\n", all.size());
    return 0;
  }
  show(course, *first);
  return 0;
}

int list(const Course& course) {
  std::map<std::string, std::pair<double, double>> sums;
  std::string topic;
  for (const grader::Exercise& exercise : course.exercises()) {
    if (exercise.topic != topic) std::printf("%s\n", bold(exercise.topic).c_str());
    topic = exercise.topic;
    const std::optional<double> points = course.points(exercise);
    char score[32];
    if (points) {
      std::snprintf(score, sizeof score, "%4g /%3g", *points, exercise.points);
    } else {
      std::snprintf(score, sizeof score, "   - /%3g", exercise.points);
    }
    std::printf("  %-24s %-12s %s  %.31s\n", exercise.id.c_str(),
                std::string(grader::name_of(exercise.kind)).c_str(), score, exercise.title.c_str());
    sums[topic].first += points.value_or(0);
    sums[topic].second += exercise.points;
  }
  for (const auto& [name, sum] : sums) {
    std::printf("%s: %g of %g points\n", name.c_str(), sum.first, sum.second);
  }
  return 0;
}

}  // namespace cli
