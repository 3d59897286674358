// SPDX-License-Identifier: MIT
// Judges a C++ function against the reference on generated inputs.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "grader/export_student.hpp"
#include "grader/function_diagnosis.hpp"
#include "grader/grade.hpp"
#include "grader/inputs.hpp"

namespace grader {
namespace {

using harness::Value;

constexpr std::size_t kChunk = 500;

std::string in_words(const Value& reply, const Exercise& exercise) {
  if (reply.at(0).text() != "ok") return "an exception: " + harmless_line(reply.at(1).text());
  const Value& value = reply.at(1);
  if (!value.is_list() || value.size() < 2 || value.size() != exercise.returns.size()) {
    return describe_value(value);
  }
  std::string fields;
  for (std::size_t i = 0; i < value.size(); ++i) {
    fields += (i > 0 ? ", " : "") + exercise.returns[i].name + " = " + describe_value(value.at(i));
  }
  return "{" + fields + "}";
}

/// What should come out for lists of arguments.
using Reference = std::function<std::vector<Value>(const std::vector<Value>&)>;

/// The student's program and the reference side by side.
class Duel {
 public:
  Duel(const Exercise& exercise, Program& student, Reference reference)
      : exercise_(&exercise), student_(&student), reference_(std::move(reference)) {}

  /// The inputs on which the two differ. @throws ChildFailure(kUnsolved) for a starter.
  std::vector<Difference> differences(const std::vector<Value::List>& inputs) {
    std::vector<Difference> result;
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
               std::vector<Difference>& result) const {
    try {
      if (is.at(0).text() == "unsolved") {
        throw ChildFailure(Failure::kUnsolved, "unsolved: " + harmless_line(is.at(1).text()));
      }
      if (same_reply(is, should, *exercise_)) return;
      static_cast<void>(in_words(is, *exercise_));
      result.push_back({arguments.list(), is, should, {}});
    } catch (const harness::ProtocolError& error) {
      throw ChildFailure(Failure::kProtocol, "it sent a reply that makes no sense");
    }
  }

  const Exercise* exercise_;
  Program* student_;
  Reference reference_;
};

/// The messages of an exercise's mistakes.
std::vector<std::string> messages_of(const Exercise& exercise) {
  std::vector<std::string> messages;
  for (const Misconception& m : exercise.misconceptions) messages.push_back(m.message);
  return messages;
}

Verdict right_for(const Exercise& exercise, std::size_t count) {
  return verdict_for(exercise, Status::kPassed, "right for " + std::to_string(count) + " inputs");
}

Verdict wrong_for(const Exercise& exercise, const std::vector<Difference>& wrong,
                  const std::vector<std::string>& mistakes, const Difference& shown,
                  std::size_t count) {
  Verdict verdict = verdict_for(
      exercise, Status::kFailed,
      "wrong for " + std::to_string(wrong.size()) + " of " + std::to_string(count) + " inputs");
  verdict.detail = "For " + describe_inputs(shown.arguments, exercise.inputs) + "\n  it gives " +
                   harmless_line(in_words(shown.is, exercise), 600) + "\n  should be " +
                   in_words(shown.should, exercise);
  for (const std::string& line : explain(wrong, exercise, mistakes)) verdict.detail += "\n" + line;
  return verdict;
}

/// Adds what the listed mistakes give: `reference` is the program that has the wrong formulas.
void add_mistaken(std::vector<Difference>& differences, const Exercise& exercise,
                  Program& reference) {
  for (const Misconception& mistake : exercise.misconceptions) {
    for (std::size_t first = 0; first < differences.size(); first += kChunk) {
      const std::size_t last = std::min(first + kChunk, differences.size());
      std::vector<Value> replies;
      if (!mistake.answer.empty()) {
        std::vector<Value> chunk;
        for (std::size_t i = first; i < last; ++i) chunk.emplace_back(differences[i].arguments);
        replies = reference.call(mistake.answer, chunk);
      }
      for (std::size_t i = first; i < last; ++i) {
        differences[i].mistaken.push_back(replies.empty()
                                              ? mistaken_reply(mistake, differences[i].should)
                                              : replies.at(i - first));
      }
    }
  }
}

/// Against the cases that were stored when the repository was handed out.
Verdict grade_stored(const Handout& handout, const Exercise& exercise, Program& student) {
  const StoredFunction stored = handout.function(exercise.id);
  std::map<std::string, const StoredCase*> by_arguments;
  std::vector<Value::List> inputs;
  for (const StoredCase& one : stored.cases) {
    by_arguments[Value(one.arguments).encode()] = &one;
    inputs.push_back(one.arguments);
  }
  Duel duel(exercise, student, [&](const std::vector<Value>& chunk) {
    std::vector<Value> result;
    result.reserve(chunk.size());
    for (const Value& arguments : chunk) {
      result.push_back(by_arguments.at(arguments.encode())->reply);
    }
    return result;
  });
  std::vector<Difference> wrong = duel.differences(inputs);
  if (wrong.empty()) return right_for(exercise, inputs.size());
  for (Difference& difference : wrong) {
    difference.mistaken = by_arguments.at(Value(difference.arguments).encode())->mistaken;
  }
  const auto simplest = std::min_element(wrong.begin(), wrong.end(), [&](auto& a, auto& b) {
    return describe_inputs(a.arguments, exercise.inputs).size() <
           describe_inputs(b.arguments, exercise.inputs).size();
  });
  return wrong_for(exercise, wrong, stored.messages, *simplest, inputs.size());
}

}  // namespace

StoredFunction store_function(Session& session, const Exercise& exercise, std::size_t count) {
  std::vector<Value::List> inputs = function_inputs(exercise, session.seed_for(exercise));
  if (inputs.size() > count) inputs.resize(count);
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  const std::vector<Value> replies =
      reference->call(exercise.entry, std::vector<Value>(inputs.begin(), inputs.end()));
  std::vector<Difference> all;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    all.push_back({inputs[i], {}, replies.at(i), {}});
  }
  add_mistaken(all, exercise, *reference);
  StoredFunction stored{messages_of(exercise), {}};
  for (const Difference& one : all) {
    stored.cases.push_back({one.arguments, one.should, one.mistaken});
  }
  return stored;
}

Verdict grade_function(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_student(exercise);
  if (session.handout()) return grade_stored(*session.handout(), exercise, *student);
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  Duel duel(exercise, *student, [&](const std::vector<Value>& chunk) {
    return reference->call(exercise.entry, chunk);
  });
  const std::vector<Value::List> inputs = function_inputs(exercise, session.seed_for(exercise));
  std::vector<Difference> wrong = duel.differences(inputs);
  if (wrong.empty()) return right_for(exercise, inputs.size());
  add_mistaken(wrong, exercise, *reference);
  const Value::List small =
      shrink_inputs(wrong.front().arguments, exercise.inputs,
                    [&](const Value::List& arguments) { return duel.differs(arguments); });
  std::vector<Difference> example = duel.differences({small});
  // A function that is not the same twice may be right this time.
  const Difference& shown = example.empty() ? wrong.front() : example.front();
  Verdict verdict = wrong_for(exercise, wrong, messages_of(exercise), shown, inputs.size());
  verdict.seed = session.workspace().seed;
  return verdict;
}

}  // namespace grader
