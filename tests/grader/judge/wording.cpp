// SPDX-License-Identifier: MIT
// The English that students see: tasks with every combination of parameters, as in answers.toml,
// hints and messages.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "grader/exercise/starter.hpp"
#include "support/catch.hpp"
#include "variants.hpp"

namespace {

struct Rule {
  const char* name;
  std::regex pattern;
};

/// Numbers and abbreviations that begin with a vowel sound take "an", all others "a".
const std::vector<Rule> kRules = {
    {"an 4096", std::regex(R"(\b[Aa]n ([0-79]|8\d*-|1[02-79]))")},
    {"a 8192", std::regex(R"(\b[Aa] (8|11\b|18\b))")},
    {"a FP32", std::regex(R"(\b[Aa] ([AEFHILMNORSX]\d|FP\d|[HLR]\d|MI\d|RTX|LLM|SM\b|NVIDIA))")},
    {"a image", std::regex(R"(\b[Aa] (?!and\b|are\b)[aeio][a-z]{2,})")},
    {"image(s)", std::regex(R"(\w\((s|es)\))")},
    {"it?. A", std::regex(R"([.,;:?!][.,;:?!]|[.,;:?!]\s+[.,;:?!](\s|$))")},
    {"a {name}", std::regex(R"(\{[a-z_]+\})")},
};

/// The text that a rule matches, with its context; empty if all is well.
std::string fault_in(std::string text) {
  // C++ names and ellipses contain such punctuation too.
  static const std::regex kNames(R"(::|\.\.\.)");
  text = std::regex_replace(text, kNames, " ");
  for (const Rule& rule : kRules) {
    std::smatch match;
    if (!std::regex_search(text, match, rule.pattern)) continue;
    const auto at = static_cast<std::size_t>(match.position());
    return fmt::format("as in '{}': ...{}", rule.name, text.substr(at < 20 ? 0 : at - 20, 60));
  }
  return {};
}

/// The comment above an exercise's answer, as one line.
std::string comment_of(const grader::Exercise& exercise) {
  grader::Topic topic;
  topic.name = exercise.topic;
  topic.exercises = {exercise};
  const std::string file = grader::starter_answers(topic);
  std::string text = file.substr(std::min(file.find("\n\n"), file.size()));
  return std::regex_replace(text.substr(0, text.find("\n[\"")), std::regex("\n# ?"), " ");
}

/// A parameter that may be 1 must not be followed by a plural.
bool has_plural_of_one(const grader::Exercise& exercise) {
  for (const grader::ExerciseParameter& parameter : exercise.parameters()) {
    const auto& choices = parameter.choices;
    if (std::find(choices.begin(), choices.end(), 1) == choices.end()) continue;
    const std::regex plural(
        "\\{" + parameter.name +
        R"(\} (?!of\b)([a-z-]+ ){0,3}(?!(as|is|has|does|was|this|its|us|ms|ns)\b)[a-z]+s\b)");
    if (std::regex_search(exercise.task, plural)) return true;
  }
  return false;
}

/// Whether a task refers to something that it has not named: a reader of only one exercise cannot
/// know what "that server" or "the same" is.
bool leans_on_another(const std::string& task) {
  static const std::regex kBegins(R"(^(From )?[Tt]he same (?!\w+ as )|^(That|Its|As before)\b)");
  static const std::regex kPoints(
      R"(\b(?:[Tt]h(?:is|ese|ose)|[Ss]uch|(?:[Oo]n|[Oo]f|[Ff]rom|[Aa]t|does) that)\s+(\w+))");
  // Words that need no introduction, and words after "that" if it stands for a sentence.
  static const std::set<std::string> kKnown = {"machine", "course", "topic", "rung",
                                               "one",     "only",   "hold",  "allow"};
  if (std::regex_search(task, kBegins)) return true;
  for (std::sregex_iterator i(task.begin(), task.end(), kPoints), end; i != end; ++i) {
    std::string noun = (*i)[1];
    if (kKnown.contains(noun)) continue;
    if (noun.ends_with('s')) noun.pop_back();
    if (task.substr(0, static_cast<std::size_t>(i->position())).find(noun) == std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("the wording rules find what they are for", "[wording]") {
  for (const char* text :
       {"with an 4096 x 4096 matrix", "a 8192 x 8192 layer", "a FP32 array", "of 1 image(s) of",
        "does it hold?. A text", "a {batch} of", "twice.. And", "a array of", "a A100?"}) {
    INFO(text);
    CHECK_FALSE(fault_in(text).empty());
  }
  for (const char* text :
       {"an 8192 x 8192 layer", "a 4096 x 4096 matrix", "an FP32 array", "std::min of 1, 2 ... 32",
        "an H100", "a T4. A B", "a tile of A and of B"}) {
    INFO(text);
    CHECK(fault_in(text).empty());
  }
  grader::Exercise one;
  one.task = "A batch of {batch} small images";
  one.as<grader::NumberExercise>().parameters = {{"batch", 1, {1, 2}}};
  CHECK(has_plural_of_one(one));
  one.task = "A batch of {batch}: images";
  CHECK_FALSE(has_plural_of_one(one));
}

TEST_CASE("every task, hint and message is in plain English", "[wording]") {
  std::vector<grader::SchemaError> errors;
  std::set<std::string> texts;
  const auto check = [&](const grader::Exercise& exercise, const std::string& text) {
    if (!texts.insert(text).second) return;  // many exercises share hints and messages
    const std::string fault = fault_in(text);
    INFO(exercise.id << ", " << fault);
    CHECK(fault.empty());
  };
  for (const grader::Topic& topic : grader::load_topics(RL_SOURCE, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) {
      INFO(exercise.id);
      CHECK_FALSE(has_plural_of_one(exercise));
      for (const std::string& hint : exercise.hints) check(exercise, hint);
      for (const auto& mistake : exercise.misconceptions) check(exercise, mistake.message);
      for (const grader::Exercise& variant : variants_of(exercise)) {
        const std::string comment = comment_of(variant);
        check(exercise, comment.empty() ? variant.task : comment);
      }
    }
  }
  CHECK(errors.empty());
  CHECK(texts.size() > 1500);
}

TEST_CASE("a task needs no other beside it", "[wording]") {
  CHECK(leans_on_another("The same with 8 ranks"));
  CHECK(leans_on_another("The load of that server rises. By which factor does the wait grow?"));
  CHECK(leans_on_another("FLOPs per byte of this GEMV?"));
  CHECK(leans_on_another("How many such sequences fit?"));
  CHECK_FALSE(leans_on_another("A server is busy. The load of that server rises."));
  CHECK_FALSE(leans_on_another("The ridge of this machine?"));
  std::vector<grader::SchemaError> errors;
  for (const grader::Topic& topic : grader::load_topics(RL_SOURCE, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) {
      INFO(exercise.id << ": " << exercise.task);
      CHECK_FALSE(leans_on_another(exercise.task));
    }
  }
}

TEST_CASE("every exercise is named in its topic's write-up", "[wording]") {
  std::vector<grader::SchemaError> errors;
  for (const grader::Topic& topic : grader::load_topics(RL_SOURCE, errors)) {
    std::ifstream file(std::filesystem::path(RL_SOURCE) / "topics" / topic.name / "README.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    REQUIRE_FALSE(text.empty());
    std::vector<std::string> spans;
    const std::regex code("`([^`\n]+)`");
    for (std::sregex_iterator i(text.begin(), text.end(), code), end; i != end; ++i) {
      spans.push_back((*i)[1]);
    }
    for (const grader::Exercise& exercise : topic.exercises) {
      const std::string& id = exercise.id;
      // `01.count.*`, or `.counted` after an exercise of the same lab.
      const bool is_named = std::any_of(spans.begin(), spans.end(), [&](const std::string& span) {
        if (span.ends_with('*')) return id.starts_with(span.substr(0, span.size() - 1));
        return id == span || id.ends_with("." + span) ||
               (span.starts_with('.') && id.ends_with(span));
      });
      INFO(id);
      CHECK(is_named);
    }
  }
}

TEST_CASE("a comment says what form an answer has, and how exact it must be", "[wording]") {
  grader::Exercise exercise;
  exercise.id = "01.x";
  exercise.title = "Does it hold?";
  exercise.task = "A text.";
  exercise.as<grader::NumberExercise>().unit = "1";
  exercise.rtol = 0.005;
  CHECK(comment_of(exercise).find("Does it hold? A text. Answer: a plain number, within 0.5 % "
                                  "(three digits)") != std::string::npos);
  exercise.as<grader::NumberExercise>().unit = "GB/s";
  exercise.rtol = 0.001;
  CHECK(comment_of(exercise).ends_with("Answer: in GB/s, within 0.1 % (four digits)"));
  exercise.rtol = 1e-6;
  CHECK(comment_of(exercise).ends_with("Answer: in GB/s, exact"));
  exercise.fields = grader::PredictionExercise{"GB/s", "bandwidth", {}, false};
  exercise.rtol = 0.3;
  CHECK(comment_of(exercise).ends_with("Answer: in GB/s, within 30 %"));
}
