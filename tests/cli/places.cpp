// SPDX-License-Identifier: MIT
// Where ./lab next sends a student, in the real topics.
#include <fstream>
#include <string>

#include "course.hpp"
#include "support/catch.hpp"

namespace {

std::string line_of(const cli::Course& course, const cli::Place& place) {
  std::ifstream in(course.root() / place.file);
  std::string line;
  for (int number = 0; number < place.line; ++number) std::getline(in, line);
  return line;
}

}  // namespace

TEST_CASE("every exercise of a file names a line with its TODO or its entry") {
  const cli::Course course(RL_SOURCE, RL_SOURCE "/build");
  REQUIRE(course.exercises().size() > 100);
  for (const grader::Exercise& exercise : course.exercises()) {
    if (exercise.files.empty() || exercise.files.front().ends_with(".json")) continue;
    CAPTURE(exercise.id);
    const cli::Place place = course.place_of(exercise);
    CHECK(place.line > 0);
  }
}

TEST_CASE("an exercise without a TODO of its own is sent to the kernel that it judges") {
  const cli::Course course(RL_SOURCE, RL_SOURCE "/build");
  for (const auto& [id, kernel] : {std::pair{"02.triad.speed", "TODO(02.triad.kernel)"},
                                   {"02.triad.counted", "TODO(02.triad.kernel)"},
                                   {"03.roofline.fma-speed", "TODO(03.roofline.fma)"},
                                   {"03.roofline.saxpy-speed", "TODO(03.roofline.saxpy)"}}) {
    CAPTURE(id);
    CHECK(line_of(course, course.place_of(course.one(id))).find(kernel) != std::string::npos);
  }
}
