// SPDX-License-Identifier: MIT
// What batches that run at the same time, as the tasks of a cluster do, need to do only once.
#include <filesystem>
#include <string>

#include "base/files.hpp"
#include "grader/batch/batch.hpp"
#include "grader/program/course_headers.hpp"
#include "grader/program/recipe.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

TEST_CASE("what one batch compiled and judged another one takes from the folder they share",
          "[batch]") {
  const support::TemporaryFolder folder;
  const std::string right =
      base::read_file(fs::path(RL_TEST_COURSE) / "solutions/90-course/formulas.cpp");
  grader::BatchOptions options;
  options.submissions = folder.path / "in";
  options.root = RL_TEST_COURSE;
  options.build = RL_BUILD;
  options.exercises = {"90.attainable"};
  options.isolation = grader::Isolation::kLight;
  options.shared = folder.path / "shared";
  options.slices = 2;
  // Of these the first slice has ada and cyd, the second ben and dan.
  for (const std::string student : {"ada", "ben", "cyd", "dan"}) {
    const std::string mark = student == "ben" ? "ada" : student;
    folder.write("in/" + student + "/90-course/formulas.cpp", right + "// by " + mark + "\n");
  }
  options.out = folder.path / "0";
  const grader::BatchSummary first = run_batch(options);
  CHECK(first.compiled == 2);
  CHECK(first.shared == 0);
  options.slice = 1;
  options.out = folder.path / "1";
  const grader::BatchSummary second = run_batch(options);
  CHECK(second.compiled == 1);
  CHECK(second.shared == 1);
  const auto points = [&](const char* file) {
    return grader::parse_results(base::read_file(folder.path / file)).points();
  };
  CHECK(points("0/results/ada.json") == 2);
  CHECK(points("1/results/ben.json") == 2);
}

TEST_CASE("headers are compiled once for all who share a folder, and again when they change",
          "[batch]") {
  const support::TemporaryFolder folder;
  const auto command = grader::read_recipe(RL_BUILD, "90-course", "formulas").compile;
  const auto ask = [&](grader::CourseHeaders& headers) {
    return headers.compiled_for(command, "90-course/formulas.cpp");
  };
  grader::CourseHeaders first(folder.path, "one");
  CHECK(ask(first).empty());  // a few programs are not worth it
  CHECK(ask(first).empty());
  const fs::path compiled = ask(first);
  if (compiled.empty()) {
    WARN("this compiler's headers are not compiled beforehand");
    return;
  }
  CHECK(fs::exists(compiled / "course.hpp.gch"));
  grader::CourseHeaders second(folder.path, "one");
  CHECK(ask(second) == compiled);
  grader::CourseHeaders changed(folder.path, "two");
  CHECK(ask(changed).empty());
  CHECK_FALSE(fs::exists(compiled));
  CHECK(ask(first) == compiled);  // whoever still needs them compiles them again
  CHECK(fs::exists(compiled / "course.hpp.gch"));
}
