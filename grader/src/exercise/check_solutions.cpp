// SPDX-License-Identifier: MIT
// Searches the sources of the solutions for ids, without building them.
#include "grader/exercise/check_solutions.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/files.hpp"
#include "grader/judge/number.hpp"

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

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool begins = at == 0 || !is_of_word(text[at - 1]);
    if (begins && (end == text.size() || !is_of_word(text[end]))) return true;
  }
  return false;
}

/// Numbers as written in prose: 1,000.5 and 2e9 too, but not the digits of a name.
std::vector<double> numbers_of(std::string_view text) {
  std::vector<double> numbers;
  std::string bare(text);
  for (std::size_t i = 1; i + 1 < bare.size(); ++i) {
    const auto is_digit = [&](std::size_t k) {
      return std::isdigit(static_cast<unsigned char>(bare[k])) != 0;
    };
    if (bare[i] == ',' && is_digit(i - 1) && is_digit(i + 1)) bare.erase(i, 1);
  }
  for (std::size_t i = 0; i < bare.size();) {
    const bool begins = std::isdigit(static_cast<unsigned char>(bare[i])) != 0 &&
                        (i == 0 || !(is_of_word(bare[i - 1]) || bare[i - 1] == '.'));
    if (!begins) {
      ++i;
      continue;
    }
    char* end = nullptr;
    numbers.push_back(std::strtod(bare.c_str() + i, &end));
    i = static_cast<std::size_t>(end - bare.c_str());
  }
  return numbers;
}

/// Small whole numbers occur everywhere.
bool is_small_count(double number) {
  constexpr double kSmall = 10;
  return number < kSmall && number == std::floor(number);
}

/// Whether a hint gives the answer as a parameter over a number, such as n/6.
bool says_formula(const Exercise& exercise, std::string_view hint, double answer) {
  return std::any_of(exercise.parameters().begin(), exercise.parameters().end(),
                     [&](const auto& parameter) {
                       const std::size_t at = hint.find(parameter.name + "/");
                       if (at == std::string_view::npos || (at > 0 && is_of_word(hint[at - 1])))
                         return false;
                       const std::string divisor(hint.substr(at + parameter.name.size() + 1));
                       return within(parameter.canonical / std::strtod(divisor.c_str(), nullptr),
                                     answer, exercise.rtol, exercise.atol);
                     });
}

}  // namespace

bool hint_says_number(const Exercise& exercise, std::string_view hint, double answer) {
  constexpr double kNear = 0.005;
  if (says_formula(exercise, hint, answer)) return true;
  const std::vector<double> numbers = numbers_of(hint);
  return std::any_of(numbers.begin(), numbers.end(), [&](double number) {
    if (is_small_count(number)) return false;
    return within(number, answer, std::max(exercise.rtol, kNear), exercise.atol);
  });
}

bool hint_says_choice(const Exercise& exercise, std::string_view hint, const std::string& answer) {
  const std::vector<double> given = numbers_of(exercise.task);
  const std::vector<double> numbers = numbers_of(hint);
  const auto computed = std::count_if(numbers.begin(), numbers.end(), [&](double number) {
    return !is_small_count(number) && std::find(given.begin(), given.end(), number) == given.end();
  });
  if (computed >= 2) return true;
  if (!has_word(hint, answer)) return false;
  const std::vector<std::string>& choices = exercise.as<ChoiceExercise>().choices;
  return std::none_of(choices.begin(), choices.end(), [&](const std::string& other) {
    return other != answer && has_word(hint, other);
  });
}

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
