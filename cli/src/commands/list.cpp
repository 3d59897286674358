// SPDX-License-Identifier: MIT
// ./lab list and ./lab progress.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

/// The points of one topic, or of all.
struct Tally {
  std::string name;
  double points = 0;
  double most = 0;
  std::size_t solved = 0;
  std::size_t exercises = 0;

  void add(const Course& course, const grader::Exercise& exercise) {
    if (!course.gives_points_for(exercise)) return;
    points += course.points(exercise).value_or(0);
    most += exercise.points;
    solved += course.is_solved(exercise) ? 1 : 0;
    ++exercises;
  }
};

std::vector<Tally> tallies(const Course& course) {
  std::vector<Tally> result;
  for (const grader::Exercise& exercise : course.exercises()) {
    if (result.empty() || result.back().name != exercise.topic) {
      result.push_back({exercise.topic, 0, 0, 0, 0});
    }
    result.back().add(course, exercise);
  }
  return result;
}

Tally sum_of(const Course& course) {
  Tally all{"all", 0, 0, 0, 0};
  for (const grader::Exercise& exercise : course.exercises()) all.add(course, exercise);
  return all;
}

/// In a narrower terminal, only id and points are printed.
constexpr std::size_t kColumnsForTitles = 70;
constexpr std::size_t kLeastTitle = 10;

/// Ids are printed in full, because they will be typed; titles get the rest of the line.
void print_line(const Course& course, const grader::Exercise& exercise, std::size_t id_width) {
  const std::optional<double> points = course.points(exercise);
  std::string score = base::formatted("   - /%3g", exercise.points);
  if (!course.gives_points_for(exercise)) {
    score = points ? "    shown" : "        -";
  } else if (points) {
    score = base::formatted("%4.3g /%3g", *points, exercise.points);
  }
  const bool solved = course.is_solved(exercise);
  const int width = static_cast<int>(id_width);
  if (base::terminal_columns() < kColumnsForTitles) {
    std::printf("%c %-*s %s\n", solved ? '*' : ' ', width, exercise.id.c_str(), score.c_str());
    return;
  }
  const std::string line =
      base::formatted("%c %-*s %-11s %s  ", solved ? '*' : ' ', width, exercise.id.c_str(),
                      std::string(grader::name_of(exercise.kind())).c_str(), score.c_str());
  const std::size_t left =
      base::terminal_columns() - std::min(line.size(), base::terminal_columns() - kLeastTitle);
  std::printf("%s%s\n", line.c_str(), shortened(exercise.title, left).c_str());
}

void print_bar(const Tally& tally) {
  constexpr std::size_t kNumbers = 28;
  const std::size_t name = base::terminal_columns() < kColumnsForTitles ? 11 : 22;
  const std::size_t width =
      base::terminal_columns() - std::min(base::terminal_columns(), name + kNumbers);
  const double share = tally.most > 0 ? tally.points / tally.most : 0;
  const auto full = static_cast<std::size_t>(std::floor(share * static_cast<double>(width) + 1e-9));
  std::printf("%-*s [%s%s] %3.0f %%  %5.4g /%4g\n", static_cast<int>(name),
              shortened(tally.name, name).c_str(), std::string(full, '#').c_str(),
              std::string(width - full, '.').c_str(), 100 * share, tally.points, tally.most);
}

nlohmann::json json_of(const Tally& tally) {
  return {{"topic", tally.name},
          {"points", tally.points},
          {"max_points", tally.most},
          {"solved", tally.solved},
          {"exercises", tally.exercises}};
}

}  // namespace

int list(const Course& course, const std::string& prefix) {
  const std::vector<const grader::Exercise*> chosen =
      course.chosen(prefix.empty() ? "all" : prefix);
  std::size_t id_width = 0;
  for (const grader::Exercise* exercise : chosen) {
    id_width = std::max(id_width, exercise->id.size());
  }
  std::string topic;
  for (const grader::Exercise* exercise : chosen) {
    if (exercise->topic != topic) {
      const auto all = tallies(course);
      const auto tally = std::find_if(all.begin(), all.end(), [&](const Tally& candidate) {
        return candidate.name == exercise->topic;
      });
      const std::string text =
          base::formatted(": %zu of %zu solved, %.4g of %g points", tally->solved, tally->exercises,
                          tally->points, tally->most);
      std::printf("%s%s", topic.empty() ? "" : "\n", wrap(bold(exercise->topic) + text).c_str());
      topic = exercise->topic;
    }
    print_line(course, *exercise, id_width);
  }
  return 0;
}

int progress(const Course& course, bool json) {
  const std::vector<Tally> topics = tallies(course);
  const Tally all = sum_of(course);
  if (json) {
    nlohmann::json report = json_of(all);
    report.erase("topic");
    for (const Tally& tally : topics) report["topics"].push_back(json_of(tally));
    std::printf("%s\n", report.dump(2).c_str());
    return 0;
  }
  for (const Tally& tally : topics) print_bar(tally);
  print_bar(all);
  std::printf("%s", wrap(std::to_string(all.solved) + " of " + std::to_string(all.exercises) +
                         " exercises solved. Points are from the last ./lab check of each.")
                        .c_str());
  return 0;
}

}  // namespace cli
