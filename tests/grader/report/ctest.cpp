// SPDX-License-Identifier: MIT
// The tests that are generated for CTest.
#include "grader/report/ctest.hpp"

#include "support/catch.hpp"

namespace {

enum class Of { kStudent, kSolution, kStarter };

std::string script_for(grader::KindFields fields, const std::string& backend,
                       Of of = Of::kStudent) {
  grader::Exercise exercise;
  exercise.id = "02.x";
  exercise.topic = "02-test";
  exercise.fields = std::move(fields);
  exercise.program = "x";
  grader::Topic topic{"02-test", "/root/topics/02-test", {exercise}};
  grader::CTestOptions options;
  options.grader = "/build/bin/grader";
  options.root = "/root";
  options.build = "/build";
  options.backend = backend;
  options.solutions = of == Of::kSolution;
  options.expect_unsolved = of == Of::kStarter;
  return grader::ctest_script(topic, options);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a test carries name, labels and the skip code", "[ctest]") {
  const std::string script = script_for(grader::NumberExercise{}, "cpu");
  CHECK(has(script, "add_test([==[grade.02.x]==] [==[/build/bin/grader]==] grade"));
  CHECK(has(script, "LABELS [==[grade;topic-02;number]==]"));
  CHECK(has(script, "SKIP_RETURN_CODE 77"));
  CHECK_FALSE(has(script, "RUN_SERIAL"));
}

TEST_CASE("what is only shown has no proof", "[ctest]") {
  CHECK(has(script_for(grader::SpeedExercise{}, "cpu"), "add_test("));
  CHECK_FALSE(has(script_for(grader::SpeedExercise{}, "cpu", Of::kSolution), "add_test("));
  CHECK(has(script_for(grader::SpeedExercise{}, "cuda", Of::kSolution), "add_test("));
}

TEST_CASE("what is timed runs alone, and a starter is not timed", "[ctest]") {
  CHECK(has(script_for(grader::SpeedExercise{}, "cpu"), "RUN_SERIAL TRUE"));
  const std::string starter = script_for(grader::SpeedExercise{}, "cuda", Of::kStarter);
  CHECK(has(starter, "add_test("));
  CHECK_FALSE(has(starter, "RUN_SERIAL"));
}

TEST_CASE("GPU exercises hold a GPU", "[ctest]") {
  CHECK_FALSE(has(script_for(grader::KernelExercise{}, "cpu"), "gpus:1"));
  const std::string script = script_for(grader::KernelExercise{}, "cuda");
  CHECK(has(script, "RESOURCE_GROUPS [==[gpus:1]==]"));
  CHECK(has(script, "LABELS [==[grade;topic-02;kernel;gpu]==]"));
}
