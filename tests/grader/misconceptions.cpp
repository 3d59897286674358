// SPDX-License-Identifier: MIT
// Every misconception of a topic's numbers, for every combination of parameters that a student may
// draw: the wrong value is refused with the message meant for it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "grader/grade.hpp"

namespace {

namespace fs = std::filesystem;

/// What a student with this misconception answers, in the unit that the exercise asks for or, where
/// a reference value has a unit of its own, in that one.
std::string wrong_answer(grader::Session& session, const grader::Exercise& exercise,
                         const grader::Misconception& misconception) {
  if (misconception.value) return fmt::format("{:.12g}", *misconception.value);
  const std::string& id = misconception.answer.empty() ? exercise.id : misconception.answer;
  const grader::ReferenceAnswer reference = session.reference(exercise, id);
  return fmt::format("{:.12g} {}", reference.value * misconception.factor.value_or(1),
                     reference.unit);
}

/// Grades one answer in a submission of its own below `scratch`.
grader::Verdict verdict_on(const grader::Workspace& workspace, const fs::path& scratch,
                           const grader::Exercise& exercise, const std::string& answer) {
  const fs::path topic = scratch / "topics" / exercise.topic;
  fs::create_directories(topic);
  std::ofstream(topic / "answers.toml")
      << fmt::format("[\"{}\"]\nvalue = \"{}\"\n", exercise.id, answer);
  grader::Workspace own = workspace;
  own.submission = scratch;
  grader::Session session(own);
  return grader::grade_number(session, exercise);
}

/// The exercise with each combination of its parameters' choices in the canonical values' place.
/// A parameter that numbers texts keeps its value: a text may claim what is right, and
/// topic-01.errata keeps the wrong ones apart from it.
std::vector<grader::Exercise> variants_of(const grader::Exercise& exercise) {
  std::vector<grader::Exercise> variants = {exercise};
  for (std::size_t p = 0; p < exercise.parameters.size(); ++p) {
    const grader::ExerciseParameter& parameter = exercise.parameters[p];
    std::vector<double> values = parameter.choices;
    if (values.empty() || !parameter.texts.empty()) values = {parameter.canonical};
    std::vector<grader::Exercise> more;
    for (const grader::Exercise& variant : variants) {
      for (const double value : values) {
        more.push_back(variant);
        more.back().parameters[p].canonical = value;
        more.back().parameters[p].choices.clear();
      }
    }
    variants = std::move(more);
  }
  return variants;
}

std::string in_words(const std::vector<grader::ExerciseParameter>& parameters) {
  std::string words;
  for (const auto& p : parameters) words += fmt::format(" {}={:g}", p.name, p.canonical);
  return words;
}

/// Tries the misconceptions of one variant of an exercise; returns how many were not recognised.
int try_exercise(const grader::Workspace& workspace, grader::Session& session,
                 const fs::path& scratch, const grader::Exercise& exercise) {
  int wrong = 0;
  for (const grader::Misconception& misconception : exercise.misconceptions) {
    const std::string answer = wrong_answer(session, exercise, misconception);
    const grader::Verdict verdict = verdict_on(workspace, scratch, exercise, answer);
    const bool refused = verdict.status == grader::Status::kFailed && verdict.points == 0;
    if (refused && verdict.detail.find(misconception.message) != std::string::npos) continue;
    ++wrong;
    fmt::print("{}{}: the answer {} should bring \"{}\" and brought: {}; {}\n", exercise.id,
               in_words(exercise.parameters), answer, misconception.message, verdict.message,
               verdict.detail);
  }
  return wrong;
}

int run(grader::Workspace workspace, const std::string& only, const fs::path& scratch) {
  std::vector<grader::SchemaError> errors;
  const auto topics = grader::load_topics(workspace.root, errors);
  for (const auto& error : errors) fmt::print("{}\n", describe(error));
  workspace.references = grader::references_of(workspace.build);
  workspace.variant.secret = "unused";  // the values of variants are not kept as canonical ones
  grader::Session session(workspace);
  int tried = 0;
  int wrong = 0;
  for (const grader::Topic& topic : topics) {
    if (topic.name != only) continue;
    for (const grader::Exercise& exercise : topic.exercises) {
      if (exercise.kind != grader::Kind::kNumber) continue;
      if (exercise.misconceptions.empty()) {
        fmt::print("{}: a number without a misconception\n", exercise.id);
        ++wrong;
      }
      for (const grader::Exercise& variant : variants_of(exercise)) {
        tried += static_cast<int>(variant.misconceptions.size());
        wrong += try_exercise(workspace, session, scratch, variant);
      }
    }
  }
  fmt::print("{}: {} misconceptions tried, {} wrong\n", only, tried, wrong);
  return wrong == 0 && tried > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  grader::Workspace workspace;
  std::string topic;
  CLI::App app("Tries every misconception that a topic's exercises list.");
  app.add_option("--root", workspace.root)->required();
  app.add_option("--build", workspace.build)->required();
  app.add_option("--topic", topic)->required();
  CLI11_PARSE(app, argc, argv);
  const fs::path scratch = workspace.build / "misconceptions" / topic;
  try {
    const int result = run(workspace, topic, scratch);
    fs::remove_all(scratch);
    return result;
  } catch (const std::exception& error) {
    fmt::print(stderr, "misconceptions: {}\n", error.what());
    return 1;
  }
}
