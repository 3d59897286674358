// SPDX-License-Identifier: MIT
// A number that follows from the student's own wrong number earns part of its points.
#include <filesystem>
#include <fstream>
#include <string>

#include "grader/judge/grade.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;

namespace {

/// The verdict on 90.rate for these two answers of the student.
grader::Verdict verdict_on_rate(const std::string& intensity, const std::string& rate) {
  const fs::path submission = fs::path(RL_BUILD) / "carried-test";
  fs::create_directories(submission / "topics" / "90-course");
  std::ofstream(submission / "topics" / "90-course" / "answers.toml")
      << "[\"90.intensity\"]\nvalue = \"" << intensity << "\"\n[\"90.rate\"]\nvalue = \"" << rate
      << "\"\n";
  grader::Workspace workspace;
  workspace.root = RL_TEST_COURSE;
  workspace.build = RL_BUILD;
  workspace.submission = submission;
  std::vector<grader::SchemaError> errors;
  const auto topics = grader::load_topics(RL_TEST_COURSE, errors);
  REQUIRE(errors.empty());
  grader::Session session(workspace);
  for (const grader::Exercise& exercise : topics.at(0).exercises) {
    if (exercise.id == "90.rate") return grader::grade(session, exercise);
  }
  throw std::logic_error("the test course has no 90.rate");
}

}  // namespace

TEST_CASE("an error carried forward earns a part", "[carried]") {
  const grader::Verdict verdict = verdict_on_rate("0.25 FLOP/B", "25 GFLOP/s");
  CHECK(verdict.status == grader::Status::kPartial);
  CHECK(verdict.points == 1);
  CHECK(verdict.message == "wrong, but it follows from your 90.intensity");
}

TEST_CASE("the right value earns everything, whatever stood before", "[carried]") {
  CHECK(verdict_on_rate("0.25 FLOP/B", "16.667 GFLOP/s").status == grader::Status::kPassed);
  CHECK(verdict_on_rate("", "16667 MFLOP/s").status == grader::Status::kPassed);
}

TEST_CASE("a value that follows from nothing earns nothing", "[carried]") {
  CHECK(verdict_on_rate("0.25 FLOP/B", "30 GFLOP/s").points == 0);
  CHECK(verdict_on_rate("nan", "25 GFLOP/s").points == 0);
  CHECK(verdict_on_rate("0.25 s", "25 GFLOP/s").points == 0);
  CHECK(verdict_on_rate("", "25 GFLOP/s").points == 0);
  CHECK(verdict_on_rate("0.1667", "25 GFLOP/s").points == 0);
}
