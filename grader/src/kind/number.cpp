// SPDX-License-Identifier: MIT
// Reads and judges numbers with units, and seals them for a handout.
#include "grader/kind/number.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>

#include "exercise/declaration.hpp"
#include "grader/handout/handout.hpp"
#include "grader/judge/grade.hpp"
#include "grader/judge/number.hpp"
#include "kind/written_answer.hpp"

namespace grader {
namespace {

std::optional<CarriedForward> read_carried(TableReader& reader, Complaints& complaints) {
  const toml::table* table = reader.table("carried");
  if (table == nullptr) return std::nullopt;
  TableReader entry(*table, "carried.", complaints);
  CarriedForward carried{entry.text("from", true), entry.number("credit", true, 0.5), nullptr};
  entry.complain_about_unknown_keys();
  if (!(carried.credit > 0 && carried.credit < 1)) {
    entry.complain("credit", "must be greater than 0 and less than 1");
  }
  return carried;
}

void read_number(Declaration& declaration, Exercise& exercise) {
  TableReader& keys = declaration.keys();
  NumberExercise own;
  own.unit = keys.text("unit", false);  // "" means a plain number
  if (!keys.has("unit")) keys.complain("unit", "is missing");
  own.needs_machine = keys.flag("machine");
  own.parameters = declaration.read_parameters();
  own.carried = read_carried(keys, declaration.complaints());
  exercise.files = {"answers.toml"};
  declaration.read_tolerance(exercise);
  exercise.fields = std::move(own);
}

/// What a number carries forward is another number of its own topic, which is noted.
void link_carried(Exercise& exercise, const Topic& topic, std::vector<SchemaError>& errors) {
  std::optional<CarriedForward>& carried = exercise.as<NumberExercise>().carried;
  if (!carried) return;
  const auto earlier =
      std::find_if(topic.exercises.begin(), topic.exercises.end(), [&](const Exercise& other) {
        return other.id == carried->from && other.kind() == Kind::kNumber &&
               other.id != exercise.id;
      });
  if (earlier == topic.exercises.end()) {
    errors.push_back({topic.folder / "exercises.toml", exercise.line, 1, "carried.from",
                      "'" + carried->from + "' is not another number of this topic"});
  } else {
    carried->earlier = std::make_shared<const Exercise>(*earlier);
  }
}

std::string form_of_number(const Exercise& exercise) {
  const int digits = digits_for(exercise.rtol);
  const bool is_of_rounding = digits > 0 && exercise.atol == 0;
  return number_form(exercise) + (is_of_rounding ? " (" + number_word(digits) + " digits)" : "");
}

/// Calls `tell` for every combination of parameter values that may be drawn, until it returns true.
bool any_numbers(const Exercise& exercise, std::vector<std::pair<std::string, double>>& numbers,
                 const std::function<bool()>& tell) {
  const std::vector<ExerciseParameter>& parameters = exercise.parameters();
  if (numbers.size() == parameters.size()) return tell();
  const ExerciseParameter& next = parameters[numbers.size()];
  std::set<double> values(next.choices.begin(), next.choices.end());
  values.insert(next.canonical);
  for (const double value : values) {
    numbers.emplace_back(next.name, value);
    const bool is_found = any_numbers(exercise, numbers, tell);
    numbers.pop_back();
    if (is_found) return true;
  }
  return false;
}

/// True if a wrong value is right for somebody else's numbers or the write-up's, and no mistake
/// explains how this student's numbers lead to it.
bool is_of_others(Session& session, const Exercise& exercise, double value) {
  if (session.workspace().variant.secret.empty()) return false;
  const double unit = in_base_units({1, exercise.unit(), {}}, {});
  const double own = in_base_units(session.reference(exercise, exercise.id), exercise.unit());
  const Mistake mistake = diagnose(value, own, exercise.rtol, dimension_of(exercise),
                                   listed_mistakes(session, exercise));
  const bool is_right = within(value, own, exercise.rtol, exercise.atol * unit);
  if (is_right || !mistake.message.empty()) return false;
  std::vector<std::pair<std::string, double>> numbers;
  return any_numbers(exercise, numbers, [&] {
    const double theirs = in_base_units(session.reference_for(exercise, numbers), exercise.unit());
    return within(value, theirs, exercise.rtol, exercise.atol * unit);
  });
}

/// The verdict on a value that is right only as a consequence of the student's own earlier number.
std::optional<Verdict> carried_forward(Session& session, const Exercise& exercise, double value) {
  const auto& own_fields = exercise.as<NumberExercise>();
  if (!own_fields.carried) return std::nullopt;
  const CarriedForward& carried = *own_fields.carried;
  const auto earlier = session.written_answer(exercise.topic, carried.from);
  if (!earlier || !earlier->problem.empty()) return std::nullopt;
  double own = 0;
  try {
    own = parse_number(earlier->text, carried.earlier->unit());
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  const ReferenceAnswer reference =
      session.reference(exercise, exercise.id + "/carried", {{"carried", own}});
  const double unit = in_base_units({1, exercise.unit(), {}}, {});
  const double from_own = in_base_units(reference, exercise.unit());
  if (!within(value, from_own, exercise.rtol, exercise.atol * unit)) return std::nullopt;
  if (is_of_others(session, *carried.earlier, own)) {
    Verdict verdict = verdict_for(exercise, Status::kFailed, "wrong");
    verdict.detail = "It follows from your " + carried.from +
                     ", which is right for other numbers than yours: nothing is carried forward.";
    return verdict;
  }
  Verdict verdict =
      verdict_for(exercise, Status::kPartial, "wrong, but it follows from your " + carried.from);
  verdict.points = carried.credit * exercise.points;
  verdict.detail = "Your answer to " + carried.from + " is wrong; what you did with it is right.";
  return verdict;
}

/// Whether a sealed mistake explains a value. Two mistakes at once need three digits or exactly
/// their value, as where the right one is known.
bool explains(const Opened& opened, double value, double last_digit) {
  constexpr double kSame = 1e-6;
  return !opened.message.starts_with("two mistakes") || has_three_digits(last_digit) ||
         within(value, opened.value, kSame, 0);
}

/// The verdict without solutions: a value near the right one opens a ciphertext.
Verdict grade_sealed_number(const Handout& handout, const Exercise& exercise, double value,
                            double last_digit) {
  const Seal* seal = handout.answer(exercise.id);
  if (seal == nullptr) return only_with_solutions(exercise);
  const std::optional<Opened> opened = open_number(*seal, value);
  if (opened && opened->is_right) return verdict_for(exercise, Status::kPassed, "right");
  if (opened && opened->message.starts_with("close")) {
    return verdict_for(exercise, Status::kFailed, opened->message);
  }
  Verdict verdict = verdict_for(exercise, Status::kFailed, "wrong");
  if (opened && explains(*opened, value, last_digit)) {
    verdict.detail = "It looks like this: " + opened->message;
  }
  return verdict;
}

/// One unit in the last of so many digits of a value.
double step_of(double value, int digits) {
  return std::pow(10, std::floor(std::log10(std::fabs(value))) - digits + 1);
}

/// The explanation of a wrong value that is written, in the exercise's unit, as whole steps.
WrongNumber explain_rounded(const Exercise& exercise, double value, double step, double reference,
                            double unit, const std::vector<KnownMistake>& listed) {
  return explain_wrong(value * unit, step / std::fabs(value), reference, exercise.rtol,
                       dimension_of(exercise), listed);
}

/// The right value with fewer digits than the tolerance needs, rounded and cut off.
std::vector<SealedMistake> roundings_of(const Exercise& exercise, double reference, double unit,
                                        const std::vector<KnownMistake>& listed) {
  constexpr int kMostDigits = 4;
  constexpr double kUp = 1 + 1e-12;  // 4.8 / 0.1 is 47.999...
  std::vector<SealedMistake> result;
  const double shown = reference / unit;
  if (shown == 0) return result;
  const int needed = digits_for(exercise.rtol);
  for (int digits = 1; digits <= kMostDigits && (needed == 0 || digits < needed); ++digits) {
    const double step = step_of(shown, digits);
    for (const double value :
         {std::round(shown / step) * step, std::trunc(shown / step * kUp) * step}) {
      const WrongNumber wrong = explain_rounded(exercise, value, step, reference, unit, listed);
      if (!wrong.message.starts_with("close")) continue;  // a single digit
      const std::string& message = wrong.mistake.message;
      const std::string mistake = message.empty() ? "" : ". " + message;
      result.push_back({value * unit, wrong.message + mistake, true});
    }
  }
  return result;
}

/// Listed mistakes written with three digits, where the tolerance asks for more.
std::vector<SealedMistake> rounded_mistakes_of(const Exercise& exercise, double reference,
                                               double unit,
                                               const std::vector<KnownMistake>& listed) {
  constexpr int kDigits = 3;
  std::vector<SealedMistake> result;
  for (const KnownMistake& mistake : listed) {
    const double shown = wrong_value(mistake, reference) / unit;
    if (shown == 0) continue;
    const double step = step_of(shown, kDigits);
    const double value = std::round(shown / step) * step;
    const WrongNumber wrong = explain_rounded(exercise, value, step, reference, unit, listed);
    if (wrong.message.starts_with("wrong")) {
      result.push_back({value * unit, wrong.mistake.message, true});
    }
  }
  return result;
}

std::vector<SealedMistake> mistakes_of(Session& session, const Exercise& exercise, double reference,
                                       double unit) {
  const std::vector<KnownMistake> listed = listed_mistakes(session, exercise);
  // Roundings come first: of two messages for one value, the first is kept.
  std::vector<SealedMistake> result = roundings_of(exercise, reference, unit, listed);
  const auto add = [&](double value) {
    Mistake mistake = diagnose(value, reference, exercise.rtol, dimension_of(exercise), listed);
    if (mistake.message.empty()) {
      mistake = two_mistakes(value, 0, reference, exercise.rtol, dimension_of(exercise), listed);
    }
    if (!mistake.message.empty()) result.push_back({value, mistake.message, false});
  };
  for (const KnownMistake& mistake : listed) add(wrong_value(mistake, reference));
  const auto rounded = rounded_mistakes_of(exercise, reference, unit, listed);
  result.insert(result.end(), rounded.begin(), rounded.end());
  for (const double factor : usual_factors()) add(factor * reference);
  if (reference != 0) add(1 / reference);
  for (const double value : values_of_two_mistakes(reference, listed)) add(value);
  return result;
}

HandedOut hand_out_number(Session& session, const Exercise& exercise, int iterations) {
  if (exercise.needs_machine()) return {{}, {}, "its answer depends on the machine"};
  const double reference = in_base_units(session.reference(exercise, exercise.id), exercise.unit());
  const double unit = in_base_units({1, exercise.unit(), {}}, {});
  HandedOut result;
  result.answer = seal_number(exercise.id, reference, exercise.rtol, exercise.atol * unit,
                              mistakes_of(session, exercise, reference, unit), iterations);
  return result;
}

}  // namespace

Verdict grade_number(Session& session, const Exercise& exercise) {
  require_machine(session, exercise);
  const StudentAnswer answer = session.student_answer(exercise);
  double value = 0;
  if (const auto verdict = unreadable_number(exercise, answer, value)) return *verdict;
  if (session.handout()) {
    return grade_sealed_number(*session.handout(), exercise, value, last_digit_of(answer.text));
  }
  const double reference = in_base_units(session.reference(exercise, exercise.id), exercise.unit());
  const double unit = in_base_units({1, exercise.unit(), {}}, {});
  if (within(value, reference, exercise.rtol, exercise.atol * unit)) {
    return verdict_for(exercise, Status::kPassed, "right");
  }
  if (const auto verdict = carried_forward(session, exercise, value)) return *verdict;
  const WrongNumber wrong =
      explain_wrong(value, last_digit_of(answer.text), reference, exercise.rtol,
                    dimension_of(exercise), listed_mistakes(session, exercise));
  Verdict verdict = verdict_for(exercise, Status::kFailed, wrong.message);
  verdict.detail = mistake_in_words(exercise, answer, wrong.mistake);
  return verdict;
}

constinit const KindRules kNumberRules{.name = "number",
                                       .read = read_number,
                                       .judge = grade_number,
                                       .hand_out = hand_out_number,
                                       .answer_form = form_of_number,
                                       .link = link_carried,
                                       .is_written = true,
                                       .has_answer = true};

}  // namespace grader
