// SPDX-License-Identifier: MIT
// Answers that are missing or cannot be read, and the mistakes that wrong answers look like.
#include "kind/written_answer.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "grader/program/sanitize.hpp"

namespace grader {

void require_machine(const Session& session, const Exercise& exercise) {
  if (!exercise.needs_machine() || session.machine()) return;
  throw std::runtime_error("this machine has not been measured yet; run: ./lab start");
}

std::optional<Verdict> unreadable(const Exercise& exercise, const StudentAnswer& answer,
                                  const char* what) {
  if (!answer.problem.empty()) return verdict_for(exercise, Status::kFailed, answer.problem);
  if (!answer.text.empty()) return std::nullopt;
  return verdict_for(
      exercise, Status::kUnsolved,
      std::string("unsolved: no ") + what + " yet in topics/" + exercise.topic + "/answers.toml");
}

std::optional<Verdict> unreadable_number(const Exercise& exercise, const StudentAnswer& answer,
                                         double& value, const char* what) {
  if (auto verdict = unreadable(exercise, answer, what)) return verdict;
  try {
    value = parse_number(answer.text, exercise.unit());
  } catch (const std::invalid_argument& error) {
    Verdict verdict = verdict_for(exercise, Status::kFailed, "the answer cannot be read");
    verdict.detail = sanitize_output(error.what());
    return verdict;
  }
  return std::nullopt;
}

std::string number_form(const Exercise& exercise) {
  const std::string& unit = exercise.unit();
  std::string tolerance;
  if (digits_for(exercise.rtol) > 0) tolerance = fmt::format("{:g} %", 100 * exercise.rtol);
  if (exercise.atol > 0) {
    tolerance += (tolerance.empty() ? "" : " and ") + fmt::format("{:g} {}", exercise.atol, unit);
  }
  return (unit.empty() || unit == "1" ? "a plain number" : "in " + unit) +
         (tolerance.empty() ? ", exact" : ", within " + tolerance);
}

double in_base_units(const ReferenceAnswer& answer, const std::string& unit) {
  const std::string& own = answer.unit.empty() ? unit : answer.unit;
  return answer.value * (own.empty() ? 1.0 : roofline::parse_quantity("1 " + own).value);
}

std::vector<KnownMistake> listed_mistakes(Session& session, const Exercise& exercise) {
  std::vector<KnownMistake> result;
  const double unit = in_base_units({1, exercise.unit(), {}}, {});
  for (const Misconception& m : exercise.misconceptions) {
    KnownMistake mistake{{}, m.factor, m.message};
    if (m.value) mistake.value = *m.value * unit;
    if (!m.answer.empty()) {
      mistake.value = in_base_units(session.reference(exercise, m.answer), exercise.unit());
    }
    result.push_back(std::move(mistake));
  }
  return result;
}

roofline::Dimension dimension_of(const Exercise& exercise) {
  return exercise.unit().empty() ? roofline::kNumber
                                 : roofline::parse_quantity("1 " + exercise.unit()).dimension;
}

std::string mistake_in_words(const Exercise& exercise, const StudentAnswer& answer,
                             const Mistake& mistake) {
  if (mistake.message.empty()) return {};
  const std::string words = "It looks like this: " + mistake.message;
  // A student who writes 8.2e9 instead of 8.2 GFLOP has the right number in another unit.
  const bool is_of_unit = mistake.about == MistakeAbout::kPrefix && is_bare(answer.text);
  return is_of_unit ? words + ": a number without a unit counts in " + exercise.unit() : words;
}

}  // namespace grader
