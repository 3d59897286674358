// SPDX-License-Identifier: MIT
// Judges numbers with units, and choices.
#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "grader/grade.hpp"
#include "grader/number.hpp"
#include "reference_value.hpp"

namespace grader {

double in_base_units(const ReferenceAnswer& answer, const std::string& unit) {
  const std::string& own = answer.unit.empty() ? unit : answer.unit;
  return answer.value * (own.empty() ? 1.0 : roofline::parse_quantity("1 " + own).value);
}

std::vector<KnownMistake> listed_mistakes(Session& session, const Exercise& exercise) {
  std::vector<KnownMistake> result;
  const double unit = in_base_units({1, exercise.unit, {}}, {});
  for (const Misconception& m : exercise.misconceptions) {
    KnownMistake mistake{{}, m.factor, m.message};
    if (m.value) mistake.value = *m.value * unit;
    if (!m.answer.empty()) {
      mistake.value = in_base_units(session.reference(exercise, m.answer), exercise.unit);
    }
    result.push_back(std::move(mistake));
  }
  return result;
}

roofline::Dimension dimension_of(const Exercise& exercise) {
  return exercise.unit.empty() ? roofline::kNumber
                               : roofline::parse_quantity("1 " + exercise.unit).dimension;
}

namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : ", ") + word;
  return result;
}

void require_machine(const Session& session, const Exercise& exercise) {
  if (!exercise.needs_machine || session.machine()) return;
  throw std::runtime_error("this machine has not been measured yet; run: ./lab start");
}

/// The verdict on an answer that cannot be judged, if it cannot be.
std::optional<Verdict> unreadable(const Exercise& exercise, const StudentAnswer& answer) {
  if (!answer.problem.empty()) return verdict_for(exercise, Status::kFailed, answer.problem);
  if (answer.text.empty()) {
    return verdict_for(exercise, Status::kUnsolved,
                       "unsolved: no answer yet in topics/" + exercise.topic + "/answers.toml");
  }
  return std::nullopt;
}

/// The verdict on a value that is right only if the student's own earlier number is.
std::optional<Verdict> carried_forward(Session& session, const Exercise& exercise, double value) {
  if (!exercise.carried) return std::nullopt;
  const CarriedForward& carried = *exercise.carried;
  const auto earlier = session.written_answer(exercise.topic, carried.from);
  if (!earlier || !earlier->problem.empty()) return std::nullopt;
  double own = 0;
  try {
    own = parse_number(earlier->text, carried.unit);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  const ReferenceAnswer reference =
      session.reference(exercise, exercise.id + "/carried", {{"carried", own}});
  const double unit = in_base_units({1, exercise.unit, {}}, {});
  const double from_own = in_base_units(reference, exercise.unit);
  if (!within(value, from_own, exercise.rtol, exercise.atol * unit)) return std::nullopt;
  Verdict verdict =
      verdict_for(exercise, Status::kPartial, "wrong, but it follows from your " + carried.from);
  verdict.points = carried.credit * exercise.points;
  verdict.detail = "Your answer to " + carried.from + " is wrong; what you did with it is right.";
  return verdict;
}

/// The verdict where the solutions are not at hand: a value near the right one opens a box.
Verdict grade_sealed_number(const Handout& handout, const Exercise& exercise, double value) {
  const Seal* seal = handout.answer(exercise.id);
  if (seal == nullptr) return only_with_solutions(exercise);
  const std::optional<Opened> opened = open_number(*seal, value);
  if (opened && opened->is_right) return verdict_for(exercise, Status::kPassed, "right");
  if (opened && opened->message.starts_with("close")) {
    return verdict_for(exercise, Status::kFailed, opened->message);
  }
  Verdict verdict = verdict_for(exercise, Status::kFailed, "wrong");
  if (opened) verdict.detail = "It looks like this: " + opened->message;
  return verdict;
}

Verdict wrong_word(const Exercise& exercise, const std::string& mistake) {
  Verdict verdict = verdict_for(exercise, Status::kFailed, "wrong");
  if (!mistake.empty()) verdict.detail = "It looks like this: " + mistake;
  return verdict;
}

Verdict grade_sealed_choice(const Handout& handout, const Exercise& exercise,
                            const std::string& word) {
  const Seal* seal = handout.answer(exercise.id);
  if (seal == nullptr) return only_with_solutions(exercise);
  const Opened opened = open_word(*seal, word);
  return opened.is_right ? verdict_for(exercise, Status::kPassed, "right")
                         : wrong_word(exercise, opened.message);
}

}  // namespace

Verdict only_with_solutions(const Exercise& exercise) {
  return verdict_for(exercise, Status::kSkipped,
                     "only your course's own grading can judge this one: this repository has no "
                     "solutions to compare with");
}

Verdict grade_number(Session& session, const Exercise& exercise) {
  require_machine(session, exercise);
  const StudentAnswer answer = session.student_answer(exercise);
  if (const auto verdict = unreadable(exercise, answer)) return *verdict;
  double value = 0;
  try {
    value = parse_number(answer.text, exercise.unit);
  } catch (const std::invalid_argument& error) {
    Verdict verdict = verdict_for(exercise, Status::kFailed, "the answer cannot be read");
    verdict.detail = harmless(error.what());
    return verdict;
  }
  if (session.handout()) return grade_sealed_number(*session.handout(), exercise, value);
  const double reference = in_base_units(session.reference(exercise, exercise.id), exercise.unit);
  const double unit = in_base_units({1, exercise.unit, {}}, {});
  if (within(value, reference, exercise.rtol, exercise.atol * unit)) {
    return verdict_for(exercise, Status::kPassed, "right");
  }
  if (const auto verdict = carried_forward(session, exercise, value)) return *verdict;
  const WrongNumber wrong =
      explain_wrong(value, last_digit_of(answer.text), reference, exercise.rtol,
                    dimension_of(exercise), listed_mistakes(session, exercise));
  Verdict verdict = verdict_for(exercise, Status::kFailed, wrong.message);
  if (!wrong.mistake.empty()) verdict.detail = "It looks like this: " + wrong.mistake;
  return verdict;
}

Verdict grade_choice(Session& session, const Exercise& exercise) {
  require_machine(session, exercise);
  const StudentAnswer answer = session.student_answer(exercise);
  if (const auto verdict = unreadable(exercise, answer)) return *verdict;
  const std::string word = lower_case(answer.text);
  const auto known = std::find(exercise.choices.begin(), exercise.choices.end(), word);
  if (known == exercise.choices.end()) {
    return verdict_for(exercise, Status::kFailed,
                       "the answer must be one of: " + joined(exercise.choices));
  }
  if (session.handout()) return grade_sealed_choice(*session.handout(), exercise, word);
  const std::string reference = session.reference(exercise, exercise.id).word;
  if (word == reference) return verdict_for(exercise, Status::kPassed, "right");
  const auto mistake = std::find_if(exercise.misconceptions.begin(), exercise.misconceptions.end(),
                                    [&](const Misconception& m) { return m.word == word; });
  return wrong_word(exercise,
                    mistake == exercise.misconceptions.end() ? std::string() : mistake->message);
}

}  // namespace grader
