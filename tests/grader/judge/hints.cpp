// SPDX-License-Identifier: MIT
// No hint of the course says the answer.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/number.hpp"
#include "grader/judge/session.hpp"
#include "roofline/units.hpp"
#include "support/catch.hpp"

using grader::Kind;

namespace {

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
bool says_formula(const grader::Exercise& exercise, std::string_view hint, double answer) {
  return std::any_of(
      exercise.parameters().begin(), exercise.parameters().end(), [&](const auto& parameter) {
        const std::size_t at = hint.find(parameter.name + "/");
        if (at == std::string_view::npos || (at > 0 && is_of_word(hint[at - 1]))) return false;
        const std::string divisor(hint.substr(at + parameter.name.size() + 1));
        return grader::within(parameter.canonical / std::strtod(divisor.c_str(), nullptr), answer,
                              exercise.rtol, exercise.atol);
      });
}

/// True when a hint of a number exercise gives `answer` away, to its tolerance or to half a
/// percent, or as a parameter over a number (n/6). Whole numbers below ten are ignored: a hint may
/// say "4 bytes" if the answer is 4.
bool hint_says_number(const grader::Exercise& exercise, std::string_view hint, double answer) {
  constexpr double kNear = 0.005;
  if (says_formula(exercise, hint, answer)) return true;
  const std::vector<double> numbers = numbers_of(hint);
  return std::any_of(numbers.begin(), numbers.end(), [&](double number) {
    if (is_small_count(number)) return false;
    return grader::within(number, answer, std::max(exercise.rtol, kNear), exercise.atol);
  });
}

/// True when a hint of a choice exercise contains the right word and none of the others, or two
/// numbers that are not in the task: the reader need only compare them.
bool hint_says_choice(const grader::Exercise& exercise, std::string_view hint,
                      const std::string& answer) {
  const std::vector<double> given = numbers_of(exercise.task);
  const std::vector<double> numbers = numbers_of(hint);
  const auto computed = std::count_if(numbers.begin(), numbers.end(), [&](double number) {
    return !is_small_count(number) && std::find(given.begin(), given.end(), number) == given.end();
  });
  if (computed >= 2) return true;
  if (!has_word(hint, answer)) return false;
  const std::vector<std::string>& choices = exercise.choices();
  return std::none_of(choices.begin(), choices.end(), [&](const std::string& other) {
    return other != answer && has_word(hint, other);
  });
}

double base_units(const std::string& unit) {
  return unit.empty() ? 1.0 : roofline::parse_quantity("1 " + unit).value;
}

}  // namespace

TEST_CASE("a hint that says the answer is found", "[references]") {
  grader::Exercise number;
  number.rtol = 0.001;
  CHECK(hint_says_number(number, "It is 0.1667, no more.", 1.0 / 6));
  CHECK(hint_says_number(number, "That makes 1,065 bytes", 1065));
  CHECK(hint_says_number(number, "2e9 of them", 2e9));
  CHECK_FALSE(hint_says_number(number, "Two FLOPs over 12 bytes", 1.0 / 6));
  CHECK_FALSE(hint_says_number(number, "4 bytes each", 4));  // small whole numbers occur everywhere
  CHECK_FALSE(hint_says_number(number, "fp16 and 2.0.168", 16));
  CHECK_FALSE(hint_says_number(number, "", 0));
  number.fields = grader::NumberExercise{};
  std::get<grader::NumberExercise>(number.fields).parameters = {{"n", 4096, {384, 4096}}};
  CHECK(hint_says_number(number, "n/6 in FP32.", 4096.0 / 6));
  CHECK_FALSE(hint_says_number(number, "n/6 in FP32.", 4096.0 / 3));
  CHECK_FALSE(hint_says_number(number, "2 n^3 FLOPs over the bytes of three matrices", 4096.0 / 6));

  grader::Exercise choice;
  choice.task = "One rank with 128 heads";
  choice.fields = grader::ChoiceExercise{{"memory", "compute", "launches"}, false, {}};
  CHECK(hint_says_choice(choice, "168 launches of 3 us.", "launches"));
  CHECK_FALSE(hint_says_choice(choice, "Is it memory or launches?", "launches"));
  CHECK_FALSE(hint_says_choice(choice, "memory-bound kernels", "memory"));
  CHECK(hint_says_choice(choice, "It is close: 242 against a ridge of 295.", "memory"));
  CHECK_FALSE(hint_says_choice(choice, "The ridge is 295, with 128 heads.", "memory"));
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
      const bool is_number = exercise.kind() == Kind::kNumber;
      if ((!is_number && exercise.kind() != Kind::kChoice) || exercise.needs_machine()) continue;
      const grader::ReferenceAnswer answer = session.reference(exercise, exercise.id);
      // A reference value's unit may differ from the one that the exercise asks for.
      const double own_unit =
          answer.unit.empty() ? base_units(exercise.unit()) : base_units(answer.unit);
      const double in_unit = answer.value * own_unit / base_units(exercise.unit());
      for (const std::string& hint : exercise.hints) {
        INFO(exercise.id << ": " << hint);
        if (is_number) {
          CHECK_FALSE(hint_says_number(exercise, hint, answer.value));
          CHECK_FALSE(hint_says_number(exercise, hint, in_unit));
        } else {
          CHECK_FALSE(hint_says_choice(exercise, hint, answer.word));
        }
        ++hints;
      }
    }
  }
  CHECK(hints > 200);
}
