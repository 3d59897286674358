// SPDX-License-Identifier: MIT
// Reads and judges choices, and seals them for a handout.
#include "grader/kind/choice.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "exercise/declaration.hpp"
#include "grader/handout/handout.hpp"
#include "grader/judge/grade.hpp"
#include "kind/written_answer.hpp"

namespace grader {
namespace {

void read_choice(Declaration& declaration, Exercise& exercise) {
  TableReader& keys = declaration.keys();
  ChoiceExercise own;
  own.choices = keys.texts("choices", true);
  own.needs_machine = keys.flag("machine");
  own.parameters = declaration.read_parameters();
  exercise.files = {"answers.toml"};
  exercise.fields = std::move(own);
}

std::string form_of_choice(const Exercise& exercise) {
  return base::joined(exercise.as<ChoiceExercise>().choices, " or ");
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

HandedOut hand_out_choice(Session& session, const Exercise& exercise, int iterations) {
  if (exercise.needs_machine()) return {{}, {}, "its answer depends on the machine"};
  std::vector<SealedWord> mistakes;
  for (const Misconception& m : exercise.misconceptions) mistakes.push_back({m.word, m.message});
  HandedOut result;
  result.answer =
      seal_word(exercise.id, session.reference(exercise, exercise.id).word, mistakes, iterations);
  return result;
}

/// Requires a message for every word that can be wrong: any word if the answer varies, else all but
/// one.
std::vector<Complaint> check_choice(const Exercise& exercise) {
  const auto& own = exercise.as<ChoiceExercise>();
  const bool varies = own.needs_machine ||
                      std::any_of(own.parameters.begin(), own.parameters.end(),
                                  [](const ExerciseParameter& p) { return !p.choices.empty(); });
  std::string silent;
  std::size_t count = 0;
  for (const std::string& word : own.choices) {
    const bool has_message =
        std::any_of(exercise.misconceptions.begin(), exercise.misconceptions.end(),
                    [&](const Misconception& m) { return m.word == word; });
    if (has_message) continue;
    silent += (silent.empty() ? "'" : ", '") + word + "'";
    ++count;
  }
  if (count <= (varies ? 0U : 1U)) return {};
  return {
      {"misconceptions.word", "no message for " + silent +
                                  (varies ? ", and every word of this choice is wrong for somebody"
                                          : ", and only the right word needs none")}};
}

}  // namespace

Verdict grade_choice(Session& session, const Exercise& exercise) {
  require_machine(session, exercise);
  const StudentAnswer answer = session.student_answer(exercise);
  if (const auto verdict = unreadable(exercise, answer)) return *verdict;
  const std::string word = base::lower_case(answer.text);
  const auto known = std::find(exercise.as<ChoiceExercise>().choices.begin(),
                               exercise.as<ChoiceExercise>().choices.end(), word);
  if (known == exercise.as<ChoiceExercise>().choices.end()) {
    return verdict_for(
        exercise, Status::kFailed,
        "the answer must be one of: " + base::joined(exercise.as<ChoiceExercise>().choices));
  }
  if (session.handout()) return grade_sealed_choice(*session.handout(), exercise, word);
  const std::string reference = session.reference(exercise, exercise.id).word;
  if (word == reference) return verdict_for(exercise, Status::kPassed, "right");
  const auto mistake = std::find_if(exercise.misconceptions.begin(), exercise.misconceptions.end(),
                                    [&](const Misconception& m) { return m.word == word; });
  return wrong_word(exercise,
                    mistake == exercise.misconceptions.end() ? std::string() : mistake->message);
}

constinit const KindRules kChoiceRules{.name = "choice",
                                       .read = read_choice,
                                       .judge = grade_choice,
                                       .hand_out = hand_out_choice,
                                       .answer_form = form_of_choice,
                                       .check = check_choice,
                                       .is_written = true,
                                       .has_answer = true};

}  // namespace grader
