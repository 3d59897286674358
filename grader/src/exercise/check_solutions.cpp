// SPDX-License-Identifier: MIT
// Searches the sources of the solutions for ids, without building them.
#include "grader/exercise/check_solutions.hpp"

#include <algorithm>
#include <string>

#include "base/files.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLeastHints = 2;

/// The text of answers.cpp and its neighbours.
std::string sources_of(const fs::path& folder) {
  std::string text;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cpp") text += base::read_file_if_any(entry.path());
  }
  return text;
}

class TopicCheck {
 public:
  TopicCheck(const fs::path& root, const Topic& topic, std::vector<SchemaError>& errors)
      : topic_(topic),
        solutions_(root / "solutions" / topic.name),
        sources_(sources_of(solutions_)),
        writeup_(base::read_file_if_any(topic.folder / "README.md")),
        errors_(errors) {}

  void check(const Exercise& exercise) {
    if (exercise.rules().has_answer) check_answer(exercise, "id", exercise.id);
    const auto* number = std::get_if<NumberExercise>(&exercise.fields);
    if (number != nullptr && number->carried) {
      check_answer(exercise, "carried", exercise.id + "/carried");
    }
    for (const Misconception& m : exercise.misconceptions) {
      if (!m.answer.empty()) check_answer(exercise, "misconceptions.answer", m.answer);
    }
    if (const auto rule = exercise.rules().check) {
      for (const auto& [key, message] : rule(exercise)) complain(exercise, key, message);
    }
    for (const std::string& file : exercise.files) {
      const bool is_record = file.ends_with(".json") || file.ends_with(".toml");
      if (is_record || fs::exists(solutions_ / file)) continue;
      complain(exercise, "files", "there is no solution of " + file);
    }
    if (exercise.hints.size() < kLeastHints) {
      complain(exercise, "hints",
               "give at least two: the first says where to begin, the last is not the answer");
    }
    for (const ExerciseParameter& parameter : exercise.parameters()) {
      // A value that another exercise owns may be in the text: "the same at ...".
      const bool is_own = !parameter.choices.empty() && parameter.same_as.empty();
      if (!is_own || exercise.task.find("{" + parameter.name + "}") != std::string::npos) continue;
      complain(exercise, "parameters." + parameter.name,
               "the task does not have {" + parameter.name +
                   "}, so nobody would know the value that was drawn");
    }
    if (!has_anchor(exercise.writeup)) {
      complain(exercise, "writeup", "README.md has no anchor '" + exercise.writeup + "'");
    }
  }

 private:
  bool has_anchor(const std::string& name) const {
    for (const std::string& mark : {"id=\"" + name + "\"", "{#" + name + "}"}) {
      if (writeup_.find(mark) != std::string::npos) return true;
    }
    return false;
  }
  /// Where the solutions compute no answer, a mistake's is a function.
  void check_answer(const Exercise& exercise, const char* key, const std::string& id) {
    const bool is_function = !exercise.rules().has_answer;
    const std::string text = is_function ? "HARNESS_FUNCTION(" + id + ")" : "\"" + id + "\"";
    if (sources_.find(text) != std::string::npos) return;
    complain(exercise, key,
             "the solutions " +
                 std::string(is_function ? "have no function" : "compute no value of") + " '" + id +
                 "'");
  }
  void complain(const Exercise& exercise, const std::string& key, const std::string& message) {
    errors_.push_back({topic_.folder / "exercises.toml", exercise.line, 1, key, message});
  }

  const Topic& topic_;
  fs::path solutions_;
  std::string sources_;
  std::string writeup_;
  std::vector<SchemaError>& errors_;
};

}  // namespace

std::vector<SchemaError> check_solutions(const fs::path& root, const std::vector<Topic>& topics) {
  std::vector<SchemaError> errors;
  for (const Topic& topic : topics) {
    // A class's handout has no solutions.
    if (!fs::is_directory(root / "solutions" / topic.name)) continue;
    TopicCheck check(root, topic, errors);
    for (const Exercise& exercise : topic.exercises) check.check(exercise);
  }
  return errors;
}

}  // namespace grader
