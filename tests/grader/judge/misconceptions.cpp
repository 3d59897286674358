// SPDX-License-Identifier: MIT
// Every misconception of a topic's numbers, choices, functions and predictions: an answer with this
// mistake is refused with the message for it. Numbers and choices are tried with every combination
// of parameters that a student may draw, functions with every seed, and predictions as if their
// kernel ran exactly at the roofs of this machine or of a stored one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grader/exercise/seed.hpp"
#include "grader/judge/grade.hpp"
#include "grader/judge/number.hpp"
#include "grader/judge/reference_answers.hpp"
#include "grader/kind/function_diagnosis.hpp"
#include "grader/kind/inputs.hpp"
#include "grader/timing/own_measurement.hpp"
#include "variants.hpp"

namespace {

namespace fs = std::filesystem;

/// The answer of a student with this misconception: a value in `unit`.
struct WrongAnswer {
  double value = 0;
  std::string unit;  ///< the exercise's, or the reference value's own

  std::string text() const { return fmt::format("{:.12g} {}", value, unit); }
};

WrongAnswer wrong_answer(grader::Session& session, const grader::Exercise& exercise,
                         const grader::Misconception& misconception) {
  if (misconception.value) return {*misconception.value, exercise.unit()};
  const std::string& id = misconception.answer.empty() ? exercise.id : misconception.answer;
  const grader::ReferenceAnswer reference = session.reference(exercise, id);
  return {reference.value * misconception.factor.value_or(1), reference.unit};
}

/// Grades one answer in its own submission folder below `scratch`.
grader::Verdict verdict_on(const grader::Workspace& workspace, const fs::path& scratch,
                           const grader::Exercise& exercise, const std::string& answer) {
  const fs::path topic = scratch / "topics" / exercise.topic;
  fs::create_directories(topic);
  std::ofstream(topic / "answers.toml")
      << fmt::format("[\"{}\"]\nvalue = \"{}\"\n", exercise.id, answer);
  grader::Workspace own = workspace;
  own.submission = scratch;
  grader::Session session(own);
  return exercise.rules().judge(session, exercise);
}

std::string in_words(const std::vector<grader::ExerciseParameter>& parameters) {
  std::string words;
  for (const auto& p : parameters) words += fmt::format(" {}={:g}", p.name, p.canonical);
  return words;
}

bool has_texts(const grader::Exercise& exercise) {
  return std::any_of(exercise.parameters().begin(), exercise.parameters().end(),
                     [](const grader::ExerciseParameter& p) { return !p.texts.empty(); });
}

/// Whether a text claims something right, so that believing it is not a mistake.
bool is_right_claim(grader::Session& session, const grader::Exercise& exercise,
                    const grader::Misconception& misconception) {
  if (!has_texts(exercise) || misconception.answer.empty()) return false;
  return grader::within(session.reference(exercise, misconception.answer).value,
                        session.reference(exercise, exercise.id).value, exercise.rtol, 0);
}

/// Tries everything, and counts the tries and those that did not give the expected message.
class Trial {
 public:
  Trial(grader::Workspace workspace, fs::path scratch, std::uint64_t seeds)
      : workspace_(std::move(workspace)),
        scratch_(std::move(scratch)),
        seeds_(seeds),
        session_(workspace_) {}

  void try_exercise(const grader::Exercise& exercise) {
    if (exercise.kind() == grader::Kind::kFunction) return try_function_with_seeds(exercise);
    if (seeds_ > 1) return;  // only a function's inputs are drawn
    if (exercise.kind() == grader::Kind::kPrediction) return try_prediction(exercise);
    const bool is_choice = exercise.kind() == grader::Kind::kChoice;
    if (!is_choice && exercise.kind() != grader::Kind::kNumber) return;
    if (exercise.misconceptions.empty()) complain(exercise, "no misconception");
    std::set<const grader::Misconception*> brought;
    for (const grader::Exercise& variant : variants_of(exercise)) {
      is_choice ? check_words(variant) : check_rounding(variant);
      for (std::size_t i = 0; i < variant.misconceptions.size(); ++i) {
        const bool was_wrong = is_choice ? try_word(variant, variant.misconceptions[i])
                                         : try_number(variant, variant.misconceptions[i]);
        if (was_wrong) brought.insert(&exercise.misconceptions[i]);
      }
    }
    // With this machine's roofs, one word of such a choice is right.
    if (is_choice && exercise.needs_machine()) return;
    for (const grader::Misconception& misconception : exercise.misconceptions) {
      if (brought.contains(&misconception)) continue;
      complain(exercise, "never wrong for anybody: \"" + misconception.message + "\"");
    }
  }
  void try_prediction(const grader::Exercise& exercise) {
    if (exercise.misconceptions.empty()) complain(exercise, "no misconception");
    const double right = base_value(exercise, right_answer(exercise));
    const double unit = grader::parse_number("1", exercise.unit());
    const std::string exactly = fmt::format("{:.12g}", right / unit);
    const bool is_rate = exercise.as<grader::PredictionExercise>().quantity == "flops";
    expect_words(exercise, exactly, is_rate ? right / 2 : right * 2,
                 "This is what the stored roofs predict: the kernel itself is slower here");
    if (is_rate) {
      expect_words(exercise, exactly, right * 2, "They were measured while the machine was busy");
    }
    const std::string off = fmt::format("{:.12g}", right / unit / 1000);
    const std::string about_unit = "a number without a unit counts in " + exercise.unit();
    expect_words(exercise, off, right, about_unit);
    expect_words_when_busy(exercise, off, right, grader::Status::kFailed, about_unit);
    expect_words_when_busy(exercise, exactly, right, grader::Status::kInconclusive,
                           "other work delayed the program for 50 %");
    for (const grader::Misconception& misconception : exercise.misconceptions) {
      const WrongAnswer answer = wrong_answer(session_, exercise, misconception);
      // Two roofs of a machine may be nearly equal: then it does not matter which one is used.
      if (!grader::within(base_value(exercise, answer), right, exercise.rtol, 0)) {
        if (has_earlier(exercise, misconception, answer)) continue;
        expect_words(exercise, answer.text(), right, misconception.message);
      } else if (misconception.factor) {
        complain(exercise, "right within the tolerance: \"" + misconception.message + "\"");
      }
    }
  }
  int tried() const { return tried_; }
  int wrong() const { return wrong_; }

 private:
  /// Every word except the right one must have a message.
  void check_words(const grader::Exercise& exercise) {
    const std::string right = session_.reference(exercise, exercise.id).word;
    for (const std::string& word : exercise.as<grader::ChoiceExercise>().choices) {
      const bool has_message =
          std::any_of(exercise.misconceptions.begin(), exercise.misconceptions.end(),
                      [&](const grader::Misconception& m) { return m.word == word; });
      if (word != right && !has_message) complain(exercise, "no message for '" + word + "'");
    }
  }
  /// The right value, rounded or truncated to two digits, must count as right or close, and not as
  /// a misconception.
  void check_rounding(const grader::Exercise& exercise) {
    if (exercise.needs_machine()) return;  // on some machine, any value is that of another roof
    const double right = base_value(exercise, right_answer(exercise));
    const double shown = right / grader::parse_number("1", exercise.unit());
    const double step = std::pow(10, std::floor(std::log10(std::fabs(shown))) - 1);
    constexpr double kUp = 1 + 1e-12;  // 4.8 / 0.1 is 47.999...
    for (const double two_digits :
         {std::round(shown / step) * step, std::trunc(shown / step * kUp) * step}) {
      const std::string answer = fmt::format("{:.1e}", two_digits);
      const grader::Verdict verdict = verdict_on(workspace_, scratch_, exercise, answer);
      if (verdict.status == grader::Status::kPassed) continue;
      // A listed mistake may lead to exactly these digits, such as a limit of 0.5: then both are
      // named.
      const bool is_mistake = std::any_of(
          exercise.misconceptions.begin(), exercise.misconceptions.end(), [&](const auto& m) {
            const double wrong = base_value(exercise, wrong_answer(session_, exercise, m));
            return std::fabs(grader::parse_number(answer, exercise.unit()) / wrong - 1) < 1e-6;
          });
      if (verdict.message.starts_with("close") && verdict.detail.empty() != is_mistake) continue;
      complain(exercise, fmt::format("{} is {:.4g} with two digits, and is told: {}; {}", answer,
                                     shown, verdict.message, verdict.detail));
    }
  }
  WrongAnswer right_answer(const grader::Exercise& exercise) {
    const grader::ReferenceAnswer reference = session_.reference(exercise, exercise.id);
    return {reference.value, reference.unit};
  }
  static double base_value(const grader::Exercise& exercise, const WrongAnswer& answer) {
    return grader::parse_number(answer.text(), exercise.unit());
  }
  /// Returns whether the word is wrong.
  bool try_word(const grader::Exercise& exercise, const grader::Misconception& misconception) {
    if (session_.reference(exercise, exercise.id).word == misconception.word) return false;
    expect_message(exercise, misconception, misconception.word);
    return true;
  }
  /// Returns whether the value is wrong.
  bool try_number(const grader::Exercise& exercise, const grader::Misconception& misconception) {
    if (is_right_claim(session_, exercise, misconception)) return false;
    if (is_alike_here(exercise, misconception)) return true;
    check_distance(exercise, misconception);
    const WrongAnswer answer = wrong_answer(session_, exercise, misconception);
    if (has_earlier(exercise, misconception, answer)) return false;
    expect_message(exercise, misconception, answer.text());
    return true;
  }
  /// Two roofs of this machine may be nearly equal: then it does not matter which one is used.
  bool is_alike_here(const grader::Exercise& exercise, const grader::Misconception& misconception) {
    if (!exercise.needs_machine() || misconception.answer.empty()) return false;
    const double right = base_value(exercise, right_answer(exercise));
    const double wrong = base_value(exercise, wrong_answer(session_, exercise, misconception));
    return grader::within(wrong, right, 2 * exercise.rtol, 0);
  }
  /// If two mistakes lead to the same value, the first message is given. With other parameters they
  /// differ; otherwise the second message would never be given, which is an error.
  bool has_earlier(const grader::Exercise& exercise, const grader::Misconception& misconception,
                   const WrongAnswer& answer) {
    constexpr double kNamed = 0.02;  // a mistake is named within one percent of its value
    const double same = std::min(kNamed, exercise.rtol);
    for (const grader::Misconception& earlier : exercise.misconceptions) {
      if (&earlier == &misconception) return false;
      const double other = wrong_answer(session_, exercise, earlier).value;
      if (grader::within(answer.value, other, same, 0)) return true;
    }
    return false;
  }
  /// The tolerances around a wrong value and the right one must not overlap: no answer may be both.
  void check_distance(const grader::Exercise& exercise,
                      const grader::Misconception& misconception) {
    const double right = base_value(exercise, right_answer(exercise));
    const double wrong = base_value(exercise, wrong_answer(session_, exercise, misconception));
    if (!grader::within(wrong, right, 2 * exercise.rtol, 0)) return;
    complain(exercise, fmt::format("\"{}\" leads to a value only {:.2g} % from the right one",
                                   misconception.message, 100 * std::fabs(wrong / right - 1)));
  }
  void expect_message(const grader::Exercise& exercise, const grader::Misconception& misconception,
                      const std::string& answer) {
    ++tried_;
    const grader::Verdict verdict = verdict_on(workspace_, scratch_, exercise, answer);
    const bool refused = verdict.status == grader::Status::kFailed && verdict.points == 0;
    if (refused && verdict.detail.find(misconception.message) != std::string::npos) return;
    complain(exercise, fmt::format("the answer {} should bring \"{}\" and brought: {}; {}", answer,
                                   misconception.message, verdict.message, verdict.detail));
  }

  /// The measurement of a prediction's exercise on an idle machine, in base units.
  static grader::OwnMeasurement measurement(const grader::Exercise& exercise, double measured) {
    constexpr double kFlops = 1e12;  // the roofs are only used for rates
    const bool is_rate = exercise.as<grader::PredictionExercise>().quantity == "flops";
    const double seconds = is_rate ? kFlops / measured : measured;
    return {{seconds, seconds, seconds}, is_rate ? kFlops : 0, 0, {}, 0};
  }
  /// Expects this status and `words` for a prediction if other work doubled the measured time.
  void expect_words_when_busy(const grader::Exercise& exercise, const std::string& answer,
                              double measured, grader::Status status, const std::string& words) {
    ++tried_;
    grader::OwnMeasurement own = measurement(exercise, measured);
    own.seconds.median *= 2;
    own.seconds.high *= 2;
    own.load = 0.5;
    const grader::Verdict verdict = grader::judge_prediction(
        session_, exercise, {answer, 0, {}}, grader::parse_number(answer, exercise.unit()), own);
    const std::string text = verdict.message + "; " + verdict.detail;
    if (verdict.status == status && text.find(words) != std::string::npos) return;
    complain(exercise,
             fmt::format("on a busy machine the prediction {} should bring \"{}\" and brought: {}",
                         answer, words, text));
  }
  /// Expects `words` for a prediction that does not earn full points with this measurement.
  void expect_words(const grader::Exercise& exercise, const std::string& answer, double measured,
                    const std::string& words) {
    ++tried_;
    const grader::Verdict verdict = grader::verdict_on_prediction(
        session_, exercise, {answer, 0, {}}, grader::parse_number(answer, exercise.unit()),
        measurement(exercise, measured));
    const bool is_off = verdict.points < exercise.points;
    if (is_off && verdict.detail.find(words) != std::string::npos) return;
    complain(exercise, fmt::format("the prediction {} should bring \"{}\" and brought: {}; {}",
                                   answer, words, verdict.message, verdict.detail));
  }

  void try_function_with_seeds(const grader::Exercise& exercise) {
    if (exercise.misconceptions.empty()) return;
    const auto program = session_.start_reference(exercise);
    const int wrong_before = wrong_;
    for (std::uint64_t i = 0; i < seeds_; ++i) {
      session_.use_seed(workspace_.seed + i);
      try_function(exercise, *program);
    }
    if (seeds_ == 1) return;
    fmt::print("{:<32} {:>2} wrong formulas x {} seeds: {} surprises\n", exercise.id,
               exercise.misconceptions.size(), seeds_, wrong_ - wrong_before);
  }
  /// Expects that a function with the mistake gets the message for it, and no other.
  void try_function(const grader::Exercise& exercise, grader::Program& program) {
    const std::vector<harness::Value> inputs = inputs_of(exercise);
    const std::vector<harness::Value> right = program.call(exercise.entry, inputs);
    std::vector<std::vector<harness::Value>> mistaken;  // by misconception
    std::vector<std::string> messages;
    for (const grader::Misconception& misconception : exercise.misconceptions) {
      messages.push_back(misconception.message);
      if (!misconception.answer.empty()) {
        mistaken.push_back(program.call(misconception.answer, inputs));
        continue;
      }
      mistaken.emplace_back();
      for (const harness::Value& reply : right) {
        mistaken.back().push_back(grader::mistaken_reply(misconception, reply));
      }
    }
    for (std::size_t m = 0; m < mistaken.size(); ++m) {
      ++tried_;
      std::vector<grader::Difference> differences;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (grader::same_reply(mistaken[m][i], right[i], exercise)) continue;
        differences.push_back({inputs[i].list(), mistaken[m][i], right[i], {}});
        for (const auto& replies : mistaken) differences.back().mistaken.push_back(replies[i]);
      }
      const std::vector<std::string> lines = grader::explain(differences, exercise, messages);
      for (const std::string& line : lines) {
        if (!line.ends_with(messages[m])) complain(exercise, "\"" + messages[m] + "\": " + line);
      }
      if (lines.empty()) complain(exercise, "nothing is said instead of \"" + messages[m] + "\"");
    }
  }
  /// With many seeds, fewer inputs than for a student's function: a mistake that shows with these
  /// shows with more.
  std::vector<harness::Value> inputs_of(const grader::Exercise& exercise) const {
    constexpr std::int64_t kFewSamples = 300;
    grader::FunctionExercise tried = exercise.as<grader::FunctionExercise>();
    if (seeds_ > 1) tried.samples = std::min(tried.samples, kFewSamples);
    std::vector<harness::Value> inputs;
    for (auto& arguments : grader::function_inputs(tried, session_.seed_for(exercise))) {
      inputs.emplace_back(std::move(arguments));
    }
    return inputs;
  }

  void complain(const grader::Exercise& exercise, const std::string& what) {
    ++wrong_;
    fmt::print("{}{} (seed {}): {}\n", exercise.id, in_words(exercise.parameters()),
               session_.workspace().seed, what);
  }

  grader::Workspace workspace_;
  fs::path scratch_;
  std::uint64_t seeds_;
  grader::Session session_;
  int tried_ = 0;
  int wrong_ = 0;
};

/// Uses another machine than the build's; of the build, only the answers programs are used.
void use_machine(grader::Workspace& workspace, const fs::path& machine, const fs::path& scratch) {
  workspace.references = std::make_shared<grader::ReferenceAnswers>(workspace.build, fs::path());
  workspace.build = scratch / "build";
  fs::create_directories(workspace.build);
  fs::copy_file(machine, workspace.build / "machine.json", fs::copy_options::overwrite_existing);
}

int run(grader::Workspace workspace, const std::string& only, const fs::path& machine,
        const fs::path& scratch, std::uint64_t seeds) {
  std::vector<grader::SchemaError> errors;
  const auto topics = grader::load_topics(workspace.root, errors);
  for (const auto& error : errors) fmt::print("{}\n", describe(error));
  workspace.references = grader::references_of(workspace.build);
  if (!machine.empty()) use_machine(workspace, machine, scratch);
  workspace.variant.secret = "unused";  // so variants' values are not stored as canonical ones
  workspace.seed = grader::chosen_seed(workspace.seed, grader::kCourseSeed);
  fmt::print("Inputs drawn from {} seeds, starting at {}; --seed or ROOFLINE_SEED sets another.\n",
             seeds, workspace.seed);
  Trial trial(workspace, scratch, seeds);
  for (const grader::Topic& topic : topics) {
    if (topic.name != only) continue;
    for (const grader::Exercise& exercise : topic.exercises) {
      // Only predictions can be judged without the build's programs.
      const bool is_prediction = exercise.kind() == grader::Kind::kPrediction;
      if (machine.empty() || is_prediction) trial.try_exercise(exercise);
    }
  }
  fmt::print("{}: {} misconceptions tried, {} wrong\n", only, trial.tried(), trial.wrong());
  return trial.wrong() == 0 && trial.tried() > 0 && errors.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  grader::Workspace workspace;
  std::string topic;
  CLI::App app("Tries every misconception that a topic's exercises list.");
  app.add_option("--root", workspace.root)->required();
  app.add_option("--build", workspace.build)->required();
  app.add_option("--topic", topic)->required();
  fs::path machine;
  app.add_option("--machine", machine, "Predictions only, from these roofs")
      ->check(CLI::ExistingFile);
  std::uint64_t seeds = 1;
  app.add_option("--seed", workspace.seed, "Of a function's inputs; more seeds follow it");
  app.add_option("--seeds", seeds, "More than one: functions only, with this many seeds")
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const fs::path scratch = workspace.build / "misconceptions" /
                           fmt::format("{}-{}{}", topic, seeds, machine.stem().string());
  try {
    const int result = run(workspace, topic, machine, scratch, seeds);
    fs::remove_all(scratch);
    return result;
  } catch (const std::exception& error) {
    fmt::print(stderr, "misconceptions: {}\n", error.what());
    return 1;
  }
}
