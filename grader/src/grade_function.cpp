// SPDX-License-Identifier: MIT
// Judges a C++ function against the reference on generated inputs.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "grader/export_student.hpp"
#include "grader/grade.hpp"
#include "grader/inputs.hpp"
#include "grader/number.hpp"

namespace grader {
namespace {

using harness::Value;

constexpr std::size_t kChunk = 500;

bool same_number(double is, double should, const Exercise& exercise) {
  if (std::isnan(should)) return std::isnan(is);
  if (std::isinf(should)) return is == should;
  return within(is, should, exercise.rtol, exercise.atol);
}

bool same_value(const Value& is, const Value& should, const Exercise& exercise) {
  if (should.is_text()) return is.is_text() && is.text() == should.text();
  if (should.is_number()) {
    return is.is_number() && same_number(is.number(), should.number(), exercise);
  }
  if (!is.is_list() || is.size() != should.size()) return false;
  for (std::size_t i = 0; i < should.size(); ++i) {
    if (!same_value(is.at(i), should.at(i), exercise)) return false;
  }
  return true;
}

/// Replies agree when both give the same value, or both refuse the input by an exception.
bool same_reply(const Value& is, const Value& should, const Exercise& exercise) {
  const bool refuses = should.at(0).text() == "error";
  if (refuses) return is.at(0).text() == "error";
  return is.at(0).text() == "ok" && same_value(is.at(1), should.at(1), exercise);
}

std::string in_words(const Value& reply) {
  if (reply.at(0).text() == "ok") return describe_value(reply.at(1));
  return "an exception: " + harmless(reply.at(1).text(), 1);
}

/// What should come out for lists of arguments.
using Reference = std::function<std::vector<Value>(const std::vector<Value>&)>;

/// The student's program and the reference side by side.
class Duel {
 public:
  Duel(const Exercise& exercise, Program& student, Reference reference)
      : exercise_(&exercise), student_(&student), reference_(std::move(reference)) {}

  struct Outcome {
    Value::List arguments;
    Value is;
    Value should;
  };

  /// The inputs on which the two differ. @throws ChildFailure(kUnsolved) for a starter.
  std::vector<Outcome> differences(const std::vector<Value::List>& inputs) {
    std::vector<Outcome> result;
    for (std::size_t first = 0; first < inputs.size(); first += kChunk) {
      const std::size_t last = std::min(first + kChunk, inputs.size());
      std::vector<Value> chunk(inputs.begin() + static_cast<long>(first),
                               inputs.begin() + static_cast<long>(last));
      const std::vector<Value> should = reference_(chunk);
      const std::vector<Value> is = student_->call(exercise_->entry, chunk);
      for (std::size_t i = 0; i < chunk.size(); ++i) compare(chunk[i], is[i], should[i], result);
    }
    return result;
  }
  bool differs(const Value::List& arguments) { return !differences({arguments}).empty(); }

 private:
  void compare(const Value& arguments, const Value& is, const Value& should,
               std::vector<Outcome>& result) const {
    try {
      if (is.at(0).text() == "unsolved") {
        throw ChildFailure(Failure::kUnsolved, "unsolved: " + harmless(is.at(1).text(), 1));
      }
      if (same_reply(is, should, *exercise_)) return;
      static_cast<void>(in_words(is));
      result.push_back({arguments.list(), is, should});
    } catch (const harness::ProtocolError& error) {
      throw ChildFailure(Failure::kProtocol, "it sent a reply that makes no sense");
    }
  }

  const Exercise* exercise_;
  Program* student_;
  Reference reference_;
};

/// The mistake that explains every difference at once, if one does.
std::string common_mistake(const std::vector<Duel::Outcome>& differences,
                           const Exercise& exercise) {
  std::string mistake;
  for (const Duel::Outcome& d : differences) {
    if (d.is.at(0).text() != "ok" || !d.is.at(1).is_number() || !d.should.at(1).is_number()) {
      return {};
    }
    std::vector<KnownMistake> listed;
    for (const Misconception& m : exercise.misconceptions) {
      listed.push_back({m.value, m.factor, m.message});
    }
    const std::string one = diagnose(d.is.at(1).number(), d.should.at(1).number(), exercise.rtol,
                                     roofline::kNumber, listed);
    if (one.empty() || (!mistake.empty() && one != mistake)) return {};
    mistake = one;
  }
  return mistake;
}

/// Generated inputs: edges first, then draws.
std::vector<Value::List> generated_inputs(const Session& session, const Exercise& exercise) {
  harness::Random random(session.seed_for(exercise));
  std::vector<Value::List> inputs = edge_inputs(exercise.inputs, random);
  while (static_cast<std::int64_t>(inputs.size()) < exercise.samples) {
    inputs.push_back(draw_inputs(exercise.inputs, random));
  }
  return inputs;
}

Verdict right_for(const Exercise& exercise, std::size_t count) {
  return verdict_for(exercise, Status::kPassed, "right for " + std::to_string(count) + " inputs");
}

Verdict wrong_for(const Exercise& exercise, const std::vector<Duel::Outcome>& wrong,
                  const Duel::Outcome& shown, std::size_t count) {
  Verdict verdict = verdict_for(
      exercise, Status::kFailed,
      "wrong for " + std::to_string(wrong.size()) + " of " + std::to_string(count) + " inputs");
  verdict.detail = "For " + describe_inputs(shown.arguments, exercise.inputs) + "\n  it gives " +
                   in_words(shown.is) + "\n  should be " + in_words(shown.should);
  const std::string mistake = common_mistake(wrong, exercise);
  if (!mistake.empty()) verdict.detail += "\nIt looks like this: " + mistake;
  return verdict;
}

/// Against the cases that were stored when the repository was handed out.
Verdict grade_stored(const Handout& handout, const Exercise& exercise, Program& student) {
  const std::vector<StoredCase> cases = handout.cases(exercise.id);
  std::map<std::string, Value> replies;
  std::vector<Value::List> inputs;
  for (const StoredCase& one : cases) {
    replies[Value(one.arguments).encode()] = one.reply;
    inputs.push_back(one.arguments);
  }
  Duel duel(exercise, student, [&](const std::vector<Value>& chunk) {
    std::vector<Value> result;
    for (const Value& arguments : chunk) result.push_back(replies.at(arguments.encode()));
    return result;
  });
  const std::vector<Duel::Outcome> wrong = duel.differences(inputs);
  if (wrong.empty()) return right_for(exercise, inputs.size());
  const auto simplest = std::min_element(wrong.begin(), wrong.end(), [&](auto& a, auto& b) {
    return describe_inputs(a.arguments, exercise.inputs).size() <
           describe_inputs(b.arguments, exercise.inputs).size();
  });
  return wrong_for(exercise, wrong, *simplest, inputs.size());
}

}  // namespace

std::vector<StoredCase> store_cases(Session& session, const Exercise& exercise, std::size_t count) {
  std::vector<Value::List> inputs = generated_inputs(session, exercise);
  if (inputs.size() > count) inputs.resize(count);
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  const std::vector<Value> replies =
      reference->call(exercise.entry, std::vector<Value>(inputs.begin(), inputs.end()));
  std::vector<StoredCase> cases;
  for (std::size_t i = 0; i < inputs.size(); ++i) cases.push_back({inputs[i], replies.at(i)});
  return cases;
}

Verdict grade_function(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_student(exercise);
  if (session.handout()) return grade_stored(*session.handout(), exercise, *student);
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  Duel duel(exercise, *student, [&](const std::vector<Value>& chunk) {
    return reference->call(exercise.entry, chunk);
  });
  const std::vector<Value::List> inputs = generated_inputs(session, exercise);
  const std::vector<Duel::Outcome> wrong = duel.differences(inputs);
  if (wrong.empty()) return right_for(exercise, inputs.size());
  const Value::List small =
      shrink_inputs(wrong.front().arguments, exercise.inputs,
                    [&](const Value::List& arguments) { return duel.differs(arguments); });
  std::vector<Duel::Outcome> example = duel.differences({small});
  // A function that is not the same twice may be right this time.
  const Duel::Outcome& shown = example.empty() ? wrong.front() : example.front();
  Verdict verdict = wrong_for(exercise, wrong, shown, inputs.size());
  verdict.seed = session.workspace().seed;
  return verdict;
}

}  // namespace grader
