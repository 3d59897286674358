// SPDX-License-Identifier: MIT
// Reference numbers: a topic's program is started once, and not at all for what is known.
#include "grader/reference_answers.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "grader/check_solutions.hpp"
#include "grader/grade.hpp"
#include "roofline/units.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using grader::Kind;
using grader::ReferenceAnswers;

namespace {

/// How a grading of all numbers and choices of a checkout went.
struct Run {
  int numbers = 0;
  int passed = 0;
  int programs_started = 0;
};

/// Judges the solutions' own numbers, with the reference values kept in `kept`.
Run grade_numbers(const fs::path& root, const fs::path& kept) {
  const auto references = std::make_shared<ReferenceAnswers>(RL_BUILD, kept);
  grader::Workspace workspace;
  workspace.root = root;
  workspace.build = RL_BUILD;
  workspace.solutions = true;
  workspace.references = references;
  grader::Session session(workspace);
  std::vector<grader::SchemaError> errors;
  Run run;
  for (const grader::Topic& topic : grader::load_topics(root, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) {
      const bool is_number = exercise.kind == Kind::kNumber || exercise.kind == Kind::kChoice;
      if (!is_number || (exercise.needs_machine && !session.machine())) continue;
      const grader::Verdict verdict = grader::grade(session, exercise);
      INFO(verdict.id << ": " << verdict.message);
      CHECK(verdict.status == grader::Status::kPassed);
      ++run.numbers;
      run.passed += verdict.status == grader::Status::kPassed ? 1 : 0;
    }
  }
  run.programs_started = references->programs_started();
  return run;
}

grader::AnswerQuestion memory_question(double n) {
  grader::AnswerQuestion question;
  question.topic = "90-course";
  question.id = "90.memory";
  question.parameters = {{"parameters", n}};
  question.is_canonical = true;
  return question;
}

double base_units(const std::string& unit) {
  return unit.empty() ? 1 : roofline::parse_quantity("1 " + unit).value;
}

}  // namespace

TEST_CASE("numbers of all topics start one program a topic, and none when known", "[references]") {
  const support::TemporaryFolder kept;
  const Run first = grade_numbers(RL_SOURCE, kept.path);
  CHECK(first.numbers > 100);
  CHECK(first.programs_started == 4);
  const Run second = grade_numbers(RL_SOURCE, kept.path);
  CHECK(second.passed == first.passed);
  CHECK(second.programs_started == 0);
}

TEST_CASE("no hint says the answer", "[references]") {
  grader::Workspace workspace;
  workspace.root = RL_SOURCE;
  workspace.build = RL_BUILD;
  grader::Session session(workspace);
  std::vector<grader::SchemaError> errors;
  int hints = 0;
  for (const grader::Topic& topic : grader::load_topics(RL_SOURCE, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) {
      const bool is_number = exercise.kind == Kind::kNumber;
      if ((!is_number && exercise.kind != Kind::kChoice) || exercise.needs_machine) continue;
      const grader::ReferenceAnswer answer = session.reference(exercise, exercise.id);
      // A reference may have another unit than the one that the exercise asks for.
      const double own_unit =
          answer.unit.empty() ? base_units(exercise.unit) : base_units(answer.unit);
      const double in_unit = answer.value * own_unit / base_units(exercise.unit);
      for (const std::string& hint : exercise.hints) {
        INFO(exercise.id << ": " << hint);
        if (is_number) {
          CHECK_FALSE(grader::hint_says_number(exercise, hint, answer.value));
          CHECK_FALSE(grader::hint_says_number(exercise, hint, in_unit));
        } else {
          CHECK_FALSE(grader::hint_says_choice(exercise, hint, answer.word));
        }
        ++hints;
      }
    }
  }
  CHECK(hints > 200);
}

TEST_CASE("what is kept belongs to one content of the solutions", "[references]") {
  const support::TemporaryFolder kept;
  grade_numbers(RL_TEST_COURSE, kept.path);
  const fs::path file = kept.path / "90-course.json";
  std::ifstream in(file);
  std::string text(std::istreambuf_iterator<char>(in), {});
  const auto key = text.find("\"key\": \"") + 8;
  text[key] = text[key] == '0' ? '1' : '0';  // as if the solutions had been others
  std::ofstream(file) << text;
  CHECK(grade_numbers(RL_TEST_COURSE, kept.path).programs_started == 1);
  CHECK(grade_numbers(RL_TEST_COURSE, kept.path).programs_started == 0);
  std::ofstream(file) << "{\"key\": 1";  // a damaged file is no answer
  CHECK(grade_numbers(RL_TEST_COURSE, kept.path).programs_started == 1);
}

TEST_CASE("other parameters are another question; a student's own are not kept", "[references]") {
  const support::TemporaryFolder kept;
  const auto value = [&](double n, bool is_canonical, int& started) {
    ReferenceAnswers references(RL_BUILD, kept.path);
    grader::AnswerQuestion question = memory_question(n);
    question.is_canonical = is_canonical;
    const double first = references.value(question).value;
    CHECK(references.value(question).value == first);
    started = references.programs_started();
    return first;
  };
  int started = 0;
  CHECK(value(100, true, started) == 2 * value(50, true, started));
  value(100, true, started);
  CHECK(started == 0);
  value(200, false, started);
  CHECK(started == 1);
  value(200, false, started);
  CHECK(started == 1);
}
