// SPDX-License-Identifier: MIT
// The verdict on a kernel's own exercise is reused by all exercises that depend on it.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "grader/judge/grade.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

TEST_CASE("a kernel whose program ends without a reply is not run again for others", "[kernel]") {
  const support::TemporaryFolder folder;
  const std::string program = "90-course/saxpy";
  const fs::path starts = folder.path / "starts";
  folder.write(program, "#!/bin/sh\nprintf x >> '" + starts.string() + "'\n");
  fs::permissions(folder.path / program, fs::perms::owner_all);
  grader::Workspace workspace;
  workspace.root = RL_TEST_COURSE;
  workspace.build = RL_BUILD;
  workspace.student_bin = folder.path;
  grader::Session session(workspace);
  std::vector<grader::SchemaError> errors;
  const auto topics = grader::load_topics(RL_TEST_COURSE, errors);
  int judged = 0;
  for (const grader::Exercise& exercise : topics.at(0).exercises) {
    if (exercise.id != "90.saxpy") continue;
    CHECK(grader::grade(session, exercise).status == grader::Status::kCrashed);
    for (int i = 0; i < 2; ++i) {  // requests from exercises about how it works
      CHECK_THROWS_AS(session.verdict_on_kernel(exercise), grader::ChildFailure);
      ++judged;
    }
  }
  CHECK(judged == 2);
  std::ifstream in(starts);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "x");
}

TEST_CASE("a program that was compiled and is gone is the grader's trouble", "[kernel]") {
  const support::TemporaryFolder folder;
  grader::Workspace workspace;
  workspace.root = RL_TEST_COURSE;
  workspace.build = RL_BUILD;
  workspace.student_bin = folder.path;
  std::vector<grader::SchemaError> errors;
  const auto topics = grader::load_topics(RL_TEST_COURSE, errors);
  int judged = 0;
  for (const grader::Exercise& exercise : topics.at(0).exercises) {
    if (exercise.id != "90.saxpy") continue;
    grader::Session session(workspace);
    CHECK(grader::grade(session, exercise).status == grader::Status::kMissing);
    session.set_compiled("90-course/saxpy");
    const grader::Verdict verdict = grader::grade(session, exercise);
    CHECK(verdict.status == grader::Status::kError);
    CHECK_THAT(verdict.message + verdict.detail, Catch::Contains("is gone"));
    ++judged;
  }
  CHECK(judged == 1);
}
