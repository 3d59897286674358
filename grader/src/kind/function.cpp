// SPDX-License-Identifier: MIT
// Reads C++ functions, judges them on generated inputs, and stores cases for a handout.
#include "grader/kind/function.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "exercise/declaration.hpp"
#include "grader/handout/handout.hpp"
#include "grader/judge/grade.hpp"
#include "grader/kind/function_diagnosis.hpp"
#include "grader/kind/inputs.hpp"
#include "harness/messages.hpp"
#include "roofline/units.hpp"

namespace grader {
namespace {

using harness::Value;

constexpr std::size_t kChunk = 500;
/// Stored cases per function: enough for every edge, few enough to be read quickly.
constexpr std::size_t kStoredCases = 300;

const FunctionExercise& own(const Exercise& exercise) {
  return exercise.as<FunctionExercise>();
}

std::vector<InputRange> read_ranges(TableReader& reader, const std::string& key, bool required,
                                    Complaints& complaints) {
  std::vector<InputRange> result;
  reader.items(key, required, [&](const toml::node& item) {
    const toml::table* table = item.as_table();
    if (table == nullptr) return reader.complain(item, key, "must be tables");
    TableReader entry(*table, key + ".", complaints);
    InputRange range;
    range.name = entry.text("name", true);
    range.low = entry.number("low", false, 0);
    range.high = entry.number("high", false, 1);
    range.integer = entry.flag("integer");
    range.enumerators = entry.texts("enumerators", false);
    if (!range.enumerators.empty()) {
      range.high = static_cast<double>(range.enumerators.size() - 1);
      range.integer = true;
      for (const char* other : {"low", "high", "integer", "scale", "edges", "fields"}) {
        if (entry.has(other)) entry.complain(other, "does not go with enumerators");
      }
    }
    range.edges = entry.numbers<double>("edges", false);
    range.choices = entry.numbers<double>("choices", false);
    if (!range.choices.empty()) {
      std::ranges::sort(range.choices);
      range.low = range.choices.front();
      range.high = range.choices.back();
      for (const char* other : {"low", "high", "scale", "edges", "fields"}) {
        if (entry.has(other)) entry.complain(other, "does not go with choices");
      }
    }
    range.sorted = entry.flag("sorted");
    range.fields = read_ranges(entry, "fields", false, complaints);
    const std::string scale = entry.text("scale", false);
    range.logarithmic = scale == "log";
    if (!scale.empty() && scale != "log" && scale != "linear") {
      entry.complain("scale", "must be linear or log");
    }
    const auto length = entry.numbers<std::int64_t>("length", false);
    if (length.size() == 2) range.length = {length[0], length[1]};
    if (entry.has("length") && (length.size() != 2 || length[0] < 0 || length[0] > length[1])) {
      entry.complain("length", "must be [least, most]");
    }
    if (range.sorted && (!range.length || !range.fields.empty())) {
      entry.complain("sorted", "is only for a vector of numbers");
    }
    if (range.low > range.high) entry.complain("low", "must not exceed high");
    if (range.logarithmic && range.low <= 0) entry.complain("low", "a log scale needs low > 0");
    entry.complain_about_unknown_keys();
    result.push_back(std::move(range));
  });
  return result;
}

/// Reads one argument of a case as described by its range: a number, or a list of items or fields.
class CaseReader {
 public:
  CaseReader(TableReader& reader) : reader_(&reader) {}

  harness::Value::List arguments(const toml::node& node, const std::vector<InputRange>& ranges) {
    harness::Value::List values;
    const toml::array* items = node.as_array();
    if (items == nullptr || items->size() != ranges.size()) {
      complain(node, "must be a list of " + std::to_string(ranges.size()));
      return values;
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      values.push_back(argument(*items->get(i), ranges[i]));
    }
    return values;
  }

 private:
  harness::Value argument(const toml::node& node, const InputRange& range) {
    if (!range.length) return item(node, range);
    harness::Value::List values;
    if (!node.is_array()) complain(node, range.name + " must be a list");
    if (const toml::array* items = node.as_array()) {
      for (const toml::node& one : *items) values.push_back(item(one, range));
    }
    return values;
  }
  harness::Value item(const toml::node& node, const InputRange& range) {
    if (!range.fields.empty()) return arguments(node, range.fields);
    const double number = node.value<double>().value_or(NAN);
    const bool in_edges =
        std::find(range.edges.begin(), range.edges.end(), number) != range.edges.end();
    // Written so that a NaN, which an undefined operation gives, is refused.
    const bool is_choice =
        range.choices.empty() || std::ranges::find(range.choices, number) != range.choices.end();
    if (!(number >= range.low && number <= range.high && is_choice) && !in_edges) {
      complain(node, range.name + " must be a number of its range");
      return {};
    }
    return number_value(range, number);
  }
  void complain(const toml::node& node, const std::string& message) {
    reader_->complain(node, "cases", message);
  }

  TableReader* reader_;
};

std::vector<harness::Value::List> read_cases(TableReader& reader,
                                             const std::vector<InputRange>& ranges) {
  std::vector<harness::Value::List> result;
  reader.items("cases", false, [&](const toml::node& node) {
    result.push_back(CaseReader(reader).arguments(node, ranges));
  });
  return result;
}

std::vector<ReturnedField> read_returns(TableReader& reader, Complaints& complaints) {
  std::vector<ReturnedField> result;
  reader.items("returns", false, [&](const toml::node& item) {
    const toml::table* table = item.as_table();
    if (table == nullptr) return reader.complain(item, "returns", "must be tables");
    TableReader entry(*table, "returns.", complaints);
    ReturnedField field{entry.text("name", true), entry.text("unit", false),
                        entry.texts("enumerators", false)};
    entry.complain_about_unknown_keys();
    try {
      if (!field.unit.empty()) static_cast<void>(roofline::parse_quantity("1 " + field.unit));
    } catch (const std::invalid_argument& error) {
      entry.complain("unit", error.what());
    }
    result.push_back(std::move(field));
  });
  return result;
}

void read(Declaration& declaration, Exercise& exercise) {
  TableReader& keys = declaration.keys();
  FunctionExercise own;
  declaration.read_program(exercise);
  declaration.read_tolerance(exercise);
  own.inputs = read_ranges(keys, "inputs", true, declaration.complaints());
  own.cases = read_cases(keys, own.inputs);
  own.returns = read_returns(keys, declaration.complaints());
  own.samples = keys.integer("samples", own.samples);
  exercise.fields = std::move(own);
}

std::string in_words(const Value& reply, const Exercise& exercise) {
  if (reply.at(0).text() != "ok") return "an exception: " + sanitize_line(reply.at(1).text());
  return describe_returned(reply.at(1), own(exercise).returns);
}

/// The right replies for lists of arguments.
using Reference = std::function<std::vector<Value>(const std::vector<Value>&)>;

/// Inputs, sorted by the student's replies.
struct Compared {
  std::vector<Difference> wrong;
  std::vector<std::size_t> right;  ///< indices of inputs
};

/// Compares the student's program with the reference.
class Duel {
 public:
  Duel(const Exercise& exercise, Program& student, Reference reference)
      : exercise_(&exercise), student_(&student), reference_(std::move(reference)) {}

  /// The inputs on which the two differ, and agree. @throws ChildFailure(kUnsolved) for a starter.
  Compared compare(const std::vector<Value::List>& inputs) {
    Compared result;
    for (std::size_t first = 0; first < inputs.size(); first += kChunk) {
      const std::size_t last = std::min(first + kChunk, inputs.size());
      std::vector<Value> chunk(inputs.begin() + static_cast<long>(first),
                               inputs.begin() + static_cast<long>(last));
      const std::vector<Value> should = reference_(chunk);
      const std::vector<Value> is = student_->call(exercise_->entry, chunk);
      for (std::size_t i = 0; i < chunk.size(); ++i) sort_in(chunk[i], is[i], should[i], result);
    }
    return result;
  }
  /// The same for cases with known replies.
  Compared compare(const FunctionCases& cases) {
    Compared result;
    for (const CaseChunk& chunk : cases.chunks) {
      const std::vector<Value> is = student_->call(chunk.request, chunk.replies.size());
      for (std::size_t i = 0; i < is.size(); ++i) {
        sort_in(chunk.arguments(i), is[i], chunk.replies[i], result);
      }
    }
    return result;
  }
  bool differs(const Value::List& arguments) { return !compare({arguments}).wrong.empty(); }

 private:
  void sort_in(const Value& arguments, const Value& is, const Value& should,
               Compared& result) const {
    try {
      if (is.at(0).text() == "unsolved") {
        throw ChildFailure(Failure::kUnsolved, "unsolved: " + sanitize_line(is.at(1).text()));
      }
      if (same_reply(is, should, *exercise_)) {
        result.right.push_back(result.right.size() + result.wrong.size());
        return;
      }
      static_cast<void>(in_words(is, *exercise_));
      result.wrong.push_back({arguments.list(), is, should, {}});
    } catch (const harness::ProtocolError& error) {
      throw ChildFailure(Failure::kProtocol, "it sent a malformed reply");
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

/// The verdict on wrong replies, once the listed mistakes have replied to all inputs, including the
/// `right` ones.
Verdict wrong_for(const Exercise& exercise, std::vector<Difference> wrong,
                  const std::vector<Difference>& right, std::vector<std::string> mistakes,
                  const Difference& shown, std::size_t count) {
  Verdict verdict = verdict_for(
      exercise, Status::kFailed,
      "wrong for " + std::to_string(wrong.size()) + " of " + std::to_string(count) + " inputs");
  verdict.detail = "For " + describe_inputs(shown.arguments, own(exercise).inputs) +
                   "\n  it gives " + sanitize_line(in_words(shown.is, exercise), 600) +
                   "\n  should be " + in_words(shown.should, exercise);
  drop_contradicted(mistakes, wrong, right, exercise);
  for (const std::string& line : explain(wrong, exercise, mistakes)) verdict.detail += "\n" + line;
  return verdict;
}

/// Adds the replies of the listed mistakes; `reference` is the program with the wrong formulas.
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

/// Compares with the cases that were stored when the repository was handed out.
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
  Compared compared = duel.compare(inputs);
  const std::vector<Difference>& wrong = compared.wrong;
  if (wrong.empty()) return right_for(exercise, inputs.size());
  for (Difference& one : compared.wrong) {
    one.mistaken = by_arguments.at(Value(one.arguments).encode())->mistaken;
  }
  std::vector<Difference> right;
  for (const std::size_t at : compared.right) {
    const StoredCase& one = stored.cases[at];
    right.push_back({one.arguments, {}, one.reply, one.mistaken});
  }
  const auto simplest = std::min_element(wrong.begin(), wrong.end(), [&](auto& a, auto& b) {
    return describe_inputs(a.arguments, own(exercise).inputs).size() <
           describe_inputs(b.arguments, own(exercise).inputs).size();
  });
  return wrong_for(exercise, wrong, right, stored.messages, *simplest, inputs.size());
}

}  // namespace

StoredFunction store_function(Session& session, const Exercise& exercise, std::size_t count) {
  std::vector<Value::List> inputs = function_inputs(own(exercise), session.seed_for(exercise));
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

namespace {

FunctionCases make_cases(const Session& session, const Exercise& exercise) {
  const std::vector<Value::List> inputs =
      function_inputs(own(exercise), session.seed_for(exercise));
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  FunctionCases cases;
  cases.count = inputs.size();
  for (std::size_t first = 0; first < inputs.size(); first += kChunk) {
    const std::size_t last = std::min(first + kChunk, inputs.size());
    CaseChunk chunk;
    chunk.request = harness::message::encode_request(harness::message::Call{
        exercise.entry,
        {inputs.begin() + static_cast<long>(first), inputs.begin() + static_cast<long>(last)}});
    chunk.replies = reference->call(chunk.request, last - first);
    cases.chunks.push_back(std::move(chunk));
  }
  return cases;
}

/// For a class the inputs are drawn once, and the reference is asked once.
std::shared_ptr<const FunctionCases> cases_for(const Session& session, const Exercise& exercise) {
  const auto make = [&] { return make_cases(session, exercise); };
  const auto& known = session.workspace().cases;
  if (!known) return std::make_shared<const FunctionCases>(make());
  return known->find(exercise.id, session.seed_for(exercise), make);
}

/// The failure of a program that crashed, with the first inputs on which it crashes when they are
/// tried one at a time; the same failure if no input does it alone.
ChildFailure with_inputs(Session& session, const Exercise& exercise, const FunctionCases& cases,
                         const ChildFailure& failure) {
  const std::unique_ptr<Program> again = session.start_student(exercise);
  for (const CaseChunk& chunk : cases.chunks) {
    for (std::size_t i = 0; i < chunk.replies.size(); ++i) {
      const Value& arguments = chunk.arguments(i);
      try {
        static_cast<void>(again->call(exercise.entry, {arguments}));
      } catch (const ChildFailure&) {
        return {failure.failure,
                failure.what() + std::string("\nThat was for ") +
                    describe_inputs(arguments.list(), own(exercise).inputs),
                failure.output};
      }
    }
  }
  return failure;
}

}  // namespace

Verdict grade_function(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_student(exercise);
  if (session.handout()) return grade_stored(*session.handout(), exercise, *student);
  const std::shared_ptr<const FunctionCases> cases = cases_for(session, exercise);
  std::unique_ptr<Program> reference;  // only needed if something is wrong
  Duel duel(exercise, *student, [&](const std::vector<Value>& chunk) {
    return reference->call(exercise.entry, chunk);
  });
  Compared compared;
  try {
    compared = duel.compare(*cases);
  } catch (const ChildFailure& failure) {
    if (failure.failure != Failure::kCrashed) throw;
    throw with_inputs(session, exercise, *cases, failure);
  }
  if (compared.wrong.empty()) return right_for(exercise, cases->count);
  reference = session.start_reference(exercise);
  add_mistaken(compared.wrong, exercise, *reference);
  std::vector<Difference> right;
  for (const std::size_t at : compared.right) {
    const CaseChunk& chunk = cases->chunks[at / kChunk];
    right.push_back({chunk.arguments(at % kChunk).list(), {}, chunk.replies[at % kChunk], {}});
  }
  add_mistaken(right, exercise, *reference);
  const Value::List small =
      shrink_inputs(compared.wrong.front().arguments, own(exercise).inputs,
                    [&](const Value::List& arguments) { return duel.differs(arguments); });
  const std::vector<Difference> example = duel.compare({small}).wrong;
  // A function that is not deterministic may be right this time.
  const Difference& shown = example.empty() ? compared.wrong.front() : example.front();
  Verdict verdict =
      wrong_for(exercise, compared.wrong, right, messages_of(exercise), shown, cases->count);
  verdict.seed = session.workspace().seed;
  return verdict;
}

namespace {

HandedOut hand_out(Session& session, const Exercise& exercise, int) {
  HandedOut result;
  result.function = store_function(session, exercise, kStoredCases);
  return result;
}

}  // namespace

constinit const KindRules kFunctionRules{.name = "function",
                                         .read = read,
                                         .judge = grade_function,
                                         .hand_out = hand_out,
                                         .uses_reference = true,
                                         .is_shared = true};

}  // namespace grader
