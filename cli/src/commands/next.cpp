// SPDX-License-Identifier: MIT
// ./lab next: shows what to do now.
#include "next.hpp"

#include <cstdio>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "grader/exercise/variant.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

std::string describe(const Place& place) {
  const std::string file = place.file.string();
  return place.line > 0 ? file + ", line " + std::to_string(place.line) : file;
}

std::string points_in_words(double points) {
  return base::formatted("%g point%s", points, points == 1 ? "" : "s");
}

}  // namespace

void present(const Course& course, const grader::Exercise& exercise) {
  std::printf(
      "%s  %s\n", bold(exercise.id).c_str(),
      bold(shortened(exercise.title, base::terminal_columns() - exercise.id.size() - 2)).c_str());
  std::printf("%s", wrap(grader::task_text(exercise), 2).c_str());
  if (const auto form = exercise.rules().answer_form) {
    std::printf("  answer %s\n", form(exercise).c_str());
  }
  std::printf("  kind   %s, %s\n", std::string(grader::name_of(exercise.kind())).c_str(),
              course.gives_points_for(exercise)
                  ? points_in_words(exercise.points).c_str()
                  : "shown, not graded: without a GPU speed is not judged");
  std::printf("  edit   %s\n", describe(course.place_of(exercise)).c_str());
  std::printf("  read   topics/%s/README.md#%s\n", exercise.topic.c_str(),
              exercise.writeup.c_str());
  std::printf("  check  ./lab check %s\n", exercise.id.c_str());
}

int next(const Course& course) {
  const grader::Exercise* first = course.next_unsolved();
  if (first == nullptr) {
    std::printf("All %zu exercises are solved.\n", course.exercises().size());
    return 0;
  }
  present(course, *first);
  return 0;
}

}  // namespace cli
