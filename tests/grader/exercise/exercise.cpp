// SPDX-License-Identifier: MIT
// exercises.toml: what is accepted, and that every mistake is named with its place.
#include "grader/exercise/exercise.hpp"

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <variant>

#include "base/files.hpp"
#include "grader/exercise/check_solutions.hpp"
#include "grader/kind/function.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;
using grader::SchemaError;

namespace {

using support::replaced;

/// A checkout with topics that lives as long as the object.
class Checkout {
 public:
  void topic(const std::string& name, const std::string& exercises) const {
    folder_.write("topics/" + name + "/exercises.toml", exercises);
  }
  std::vector<SchemaError> errors() const {
    std::vector<SchemaError> result;
    grader::load_topics(root(), result);
    return result;
  }
  /// The topics, in which there is no mistake.
  std::vector<grader::Topic> topics() const {
    std::vector<SchemaError> mistakes;
    auto result = grader::load_topics(root(), mistakes);
    for (const SchemaError& mistake : mistakes) FAIL(describe(mistake));
    return result;
  }
  /// What its solutions and write-ups lack.
  std::vector<SchemaError> lacks() const { return check_solutions(root(), topics()); }
  void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }
  const fs::path& root() const { return folder_.path; }

 private:
  support::TemporaryFolder folder_;
};

const std::string kNumber = R"(
[[exercise]]
id = "02.a"
title = "A"
task = "What is a?"
kind = "number"
points = 1
unit = "FLOP/B"
rtol = 0.01
writeup = "a"
hints = ["think", "think again"]
)";

/// The single mistake in a file.
SchemaError only_error(const std::string& exercises) {
  const Checkout checkout;
  checkout.topic("02-test", exercises);
  const auto errors = checkout.errors();
  REQUIRE(errors.size() == 1);
  return errors.front();
}

}  // namespace

TEST_CASE("a number is read with all its keys", "[exercise]") {
  const Checkout checkout;
  checkout.topic("02-test", kNumber + R"(
misconceptions = [{factor = 2, message = "twice"}, {answer = "02.a/wrong", message = "other"}]
[exercise.parameters]
n = 4096
m = {canonical = 1, choices = [1, 2, 3]}
)");
  const auto topics = checkout.topics();
  const grader::Exercise& exercise = topics.at(0).exercises.at(0);
  CHECK(exercise.topic == "02-test");
  CHECK(exercise.line == 2);
  CHECK(exercise.misconceptions.size() == 2);
  CHECK(exercise.parameters().size() == 2);
  CHECK(exercise.files == std::vector<std::string>{"answers.toml"});
}

TEST_CASE("a topic says how many minutes a submission may take", "[exercise]") {
  const Checkout checkout;
  checkout.topic("02-test", "budget_minutes = 2.5\n" + kNumber);
  CHECK(checkout.topics().at(0).budget_seconds == 150);
  CHECK(only_error("budget_minutes = 0\n" + kNumber).message == "must be positive");
}

TEST_CASE("an unknown key is named with line and column", "[exercise]") {
  const SchemaError error =
      only_error(replaced(kNumber, "rtol = 0.01", "rtol = 0.01\ntolerence = 1"));
  CHECK(error.key == "tolerence");
  CHECK(error.line == 10);
  CHECK(describe(error).find("exercises.toml:10:13: tolerence: is unknown") != std::string::npos);
}

TEST_CASE("missing keys are named", "[exercise]") {
  CHECK(only_error(replaced(kNumber, "title = \"A\"\n", "")).key == "title");
  CHECK(only_error(replaced(kNumber, "rtol = 0.01\n", "")).message.find("tolerance") !=
        std::string::npos);
  CHECK(only_error(replaced(kNumber, "hints = [\"think\", \"think again\"]\n", "")).key == "hints");
}

TEST_CASE("values of the wrong type are named", "[exercise]") {
  CHECK(only_error(replaced(kNumber, "points = 1", "points = \"one\"")).key == "points");
  CHECK(only_error(replaced(kNumber, "points = 1", "points = -1")).key == "points");
  CHECK(only_error(replaced(kNumber, "points = 1", "points = inf")).key == "points");
  CHECK(only_error(replaced(kNumber, "\"number\"", "\"riddle\"")).key == "kind");
  CHECK(only_error(replaced(kNumber, "02.a", "A 2")).key == "id");
  CHECK(only_error(replaced(kNumber, "hints = [\"think\", \"think again\"]", "hints = \"think\""))
            .key == "hints");
}

TEST_CASE("a misconception needs exactly one of value, factor and answer", "[exercise]") {
  const auto with = [](const std::string& text) {
    return kNumber + "misconceptions = [{" + text + "message = \"m\"}]\n";
  };
  CHECK(only_error(with("")).key == "misconceptions.value");
  CHECK(only_error(with("value = 1, factor = 2, ")).key == "misconceptions.value");
}

TEST_CASE("a mistake of a choice is a wrong word, once", "[exercise]") {
  const std::string choice = replaced(replaced(kNumber, "\"number\"", "\"choice\""),
                                      "unit = \"FLOP/B\"\nrtol = 0.01", "choices = [\"a\", \"b\"]");
  const auto error = [&](const std::string& mistakes) {
    return only_error(choice + "misconceptions = [\n" + mistakes + "]\n");
  };
  const SchemaError unknown = error("{word = \"c\", message = \"m\"},\n");
  CHECK(unknown.key == "misconceptions.word");
  CHECK(unknown.line == 12);
  CHECK(unknown.message == "'c' is not one of the choices");
  CHECK(error("{word = \"a\", message = \"m\"},\n{word = \"a\", message = \"n\"},\n").message ==
        "'a' has two messages");
  CHECK(error("{factor = 2, message = \"m\"},\n").message.find("is missing") == 0);
  CHECK(only_error(kNumber + "misconceptions = [{word = \"a\", message = \"m\"}]\n").message ==
        "is only for a choice; give value, factor or answer");
}

TEST_CASE("a choice without a message for a word that can be wrong is named", "[exercise]") {
  const std::string choice = replaced(replaced(kNumber, "\"number\"", "\"choice\""),
                                      "unit = \"FLOP/B\"\nrtol = 0.01", "choices = [\"a\", \"b\"]");
  const auto mistakes_of = [](const std::string& exercises) {
    const Checkout checkout;
    checkout.topic("02-test", exercises);
    checkout.write("solutions/02-test/answers.cpp", "\"02.a\"");
    checkout.write("topics/02-test/README.md", "<a id=\"a\"></a>");
    return checkout.lacks();
  };
  const auto none = mistakes_of(choice);
  REQUIRE(none.size() == 1);
  CHECK(none[0].key == "misconceptions.word");
  CHECK(none[0].line == 2);
  CHECK(none[0].message == "no message for 'a', 'b', and only the right word needs none");
  const std::string one = choice + "misconceptions = [{word = \"a\", message = \"m\"}]\n";
  CHECK(mistakes_of(one).empty());
  const std::string parameter = "[exercise.parameters]\nn = {canonical = 1, choices = [1, 2]}\n";
  const auto varies = mistakes_of(replaced(one, "What is a?", "What is {n}?") + parameter);
  REQUIRE(varies.size() == 1);
  CHECK(varies[0].message ==
        "no message for 'b', and every word of this choice is wrong for somebody");
  CHECK(mistakes_of(one + "machine = true\n").size() == 1);
}

TEST_CASE("a parameter that is drawn stands in the task", "[exercise]") {
  const std::string second = replaced(replaced(kNumber, "02.a", "02.b"), "What is a?", "The same?");
  const auto mistakes_of = [&](const std::string& task) {
    const Checkout checkout;
    checkout.topic("02-test", replaced(kNumber, "What is a?", task) +
                                  "[exercise.parameters]\nn = {canonical = 2, choices = [1, 2]}\n"
                                  "fixed = 3\n" +
                                  second + "[exercise.parameters]\nn = {same_as = \"02.a\"}\n");
    checkout.write("solutions/02-test/answers.cpp", "\"02.a\" \"02.b\"");
    checkout.write("topics/02-test/README.md", "<a id=\"a\"></a>");
    return checkout.lacks();
  };
  CHECK(mistakes_of("What is a for {n}?").empty());
  const auto unseen = mistakes_of("What is a for n?");
  REQUIRE(unseen.size() == 1);
  CHECK(unseen[0].key == "parameters.n");
  CHECK(unseen[0].line == 2);
}

TEST_CASE("a parameter may be the same as another exercise's", "[exercise]") {
  const std::string second = replaced(kNumber, "02.a", "02.b");
  const std::string drawn =
      kNumber + "[exercise.parameters]\nn = {canonical = 2, choices = [1, 2]}\n";
  const Checkout checkout;
  checkout.topic("02-test", drawn + second + "[exercise.parameters]\nn = {same_as = \"02.a\"}\n");
  const auto topics = checkout.topics();
  const grader::ExerciseParameter& copy = topics.at(0).exercises.at(1).parameters().at(0);
  CHECK(copy.canonical == 2);
  CHECK(copy.choices == std::vector<double>{1, 2});
  const SchemaError error =
      only_error(drawn + second + "[exercise.parameters]\nm = {same_as = \"02.a\"}\n");
  CHECK(error.key == "parameters.m.same_as");
  CHECK(error.message == "'02.a' is not an exercise of this topic that draws this parameter");
}

TEST_CASE("an id used twice, also in another topic, names both places", "[exercise]") {
  const Checkout checkout;
  checkout.topic("01-one", kNumber);
  checkout.topic("02-two", kNumber);
  const auto errors = checkout.errors();
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].message == "'02.a' is used twice (first in 01-one, line 2)");
  CHECK(errors[0].file.parent_path().filename() == "02-two");
}

TEST_CASE("builds_on must name an exercise", "[exercise]") {
  CHECK(only_error(kNumber + "builds_on = [\"02.z\"]\n").key == "builds_on");
}

TEST_CASE("what the solutions or the write-up lack is named", "[exercise]") {
  const Checkout checkout;
  checkout.topic(
      "02-test",
      kNumber + "misconceptions = [{answer = \"02.a/wrong\", message = \"m\"}]\n" +
          replaced(replaced(replaced(kNumber, "\"number\"", "\"kernel\""), "02.a", "02.k"),
                   "unit = \"FLOP/B\"\n",
                   "program = \"p\"\nsizes = [1]\nfiles = [\"code/p.cu\"]\n"));
  CHECK(checkout.lacks().empty());  // handed out without solutions

  checkout.write("solutions/02-test/answers.cpp", "");
  const auto missing = checkout.lacks();
  REQUIRE(missing.size() == 5);
  CHECK(missing[0].key == "id");
  CHECK(missing[0].line == 2);
  CHECK(missing[0].message == "the solutions compute no value of '02.a'");
  CHECK(missing[1].key == "misconceptions.answer");
  CHECK(missing[2].key == "writeup");
  CHECK(missing[3].key == "files");

  checkout.write("solutions/02-test/answers.cpp",
                 "HARNESS_ANSWER(\"02.a\") HARNESS_ANSWER(\"02.a/wrong\")");
  checkout.write("solutions/02-test/code/p.cu", "");
  checkout.write("topics/02-test/README.md", "## A {#a}\n");
  CHECK(checkout.lacks().empty());
}

TEST_CASE("an exercise has two hints or more", "[exercise]") {
  const Checkout checkout;
  checkout.topic("02-test", replaced(kNumber, "[\"think\", \"think again\"]", "[\"think\"]"));
  checkout.write("solutions/02-test/answers.cpp", "HARNESS_ANSWER(\"02.a\")");
  checkout.write("topics/02-test/README.md", "## A {#a}\n");
  const auto mistakes = checkout.lacks();
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes[0].key == "hints");
}

TEST_CASE("a speed names a roof, or says why none can judge", "[exercise]") {
  const std::string speed =
      replaced(replaced(kNumber, "\"number\"", "\"speed\""), "unit = \"FLOP/B\"\n",
               "program = \"p\"\nsize = 9\nfiles = [\"code/p.cu\"]\n");
  const auto mistakes = [&](const std::string& more) {
    const Checkout checkout;
    checkout.topic("02-test", speed + more);
    checkout.write("solutions/02-test/code/p.cu", "");
    checkout.write("topics/02-test/README.md", "## A {#a}\n");
    std::string keys;
    for (const auto& error : checkout.lacks()) keys += error.key + " ";
    return keys;
  };
  CHECK(mistakes("") == "handout_roof ");
  CHECK(mistakes("full_roof = 0.8\n").empty());
  CHECK(mistakes("handout_roof = 0.8\n").empty());
  CHECK(mistakes("no_roof = \"a cache decides\"\n").empty());
}

TEST_CASE("a profile limits figures that there are", "[exercise]") {
  const std::string profile =
      replaced(replaced(kNumber, "\"number\"", "\"profile\""), "unit = \"FLOP/B\"\n",
               "program = \"p\"\nsize = 9\nfiles = [\"code/p.cu\"]\nvirtual_gpu = \"h200-sxm\"\n");
  const auto limited = [&](const std::string& limit) {
    return profile + "limits = [{" + limit + "}]\n";
  };
  const Checkout checkout;
  checkout.topic("02-test", limited("figure = \"sectors_per_load\", most = 4.1"));
  CHECK(checkout.errors().empty());
  CHECK(only_error(limited("figure = \"sectors\", most = 4"))
            .message.find("must be one of sectors_per_load sectors_per_store") !=
        std::string::npos);
  CHECK(only_error(limited("figure = \"occupancy\"")).message == "needs least or most");
  CHECK(only_error(limited("figure = \"occupancy\", lest = 1, most = 2")).key == "limits.lest");
  CHECK(only_error(profile).key == "limits");
  CHECK(only_error(replaced(limited("figure = \"occupancy\", least = 1"), "size = 9", "size = 0"))
            .key == "size");
}

TEST_CASE("a time on a virtual GPU names the machine, a size and the time", "[exercise]") {
  const auto speed = [&](const std::string& race) {
    return replaced(
        replaced(kNumber, "\"number\"", "\"speed\""), "unit = \"FLOP/B\"\n",
        "program = \"p\"\nsize = 9\nfiles = [\"code/p.cu\"]\nvirtual = {" + race + "}\n");
  };
  const Checkout checkout;
  checkout.topic("02-test", speed("gpu = \"h200-sxm\", size = 9, microseconds = 2.5"));
  CHECK(checkout.errors().empty());
  CHECK(only_error(speed("gpu = \"h200-sxm\", microseconds = 2.5")).key == "virtual.size");
  CHECK(only_error(speed("gpu = \"h200-sxm\", size = 9, microseconds = 1, multiprocessors = -1"))
            .key == "virtual.multiprocessors");
  CHECK(only_error(speed("size = 9, microseconds = 2.5")).key == "virtual.gpu");
  CHECK(only_error(speed("gpu = \"h200-sxm\", size = 9, microseconds = -1")).key ==
        "virtual.microseconds");
  CHECK(only_error(speed("gpu = \"g\", size = 9, microseconds = 1, n = 2")).key == "virtual.n");
}

TEST_CASE("speed counts on GPUs, and elsewhere by a time on a virtual one", "[exercise]") {
  grader::Exercise exercise;
  exercise.fields = grader::SpeedExercise{};
  CHECK_FALSE(is_graded_on(exercise, "cpu"));
  CHECK(is_graded_on(exercise, "cuda"));
  CHECK(is_graded_on(exercise, "hip"));
  grader::SpeedExercise speed;
  speed.virtual_race = grader::VirtualRace{"h200-sxm", 1024, 5};
  exercise.fields = speed;
  CHECK(is_graded_on(exercise, "cpu"));
  exercise.fields = grader::KernelExercise{};
  CHECK(is_graded_on(exercise, "cpu"));
}

TEST_CASE("no roof asks for more than what the solution was measured to reach", "[exercise]") {
  std::vector<SchemaError> errors;
  std::map<std::string, grader::Exercise> exercises;
  for (const grader::Topic& topic : grader::load_topics(RL_SOURCE, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) exercises[exercise.id] = exercise;
  }
  std::ifstream in(RL_SOURCE "/data/measured/speed_roofs.csv");
  std::string line;
  std::getline(in, line);  // the header
  int compared = 0;
  while (std::getline(in, line)) {
    std::vector<std::string> fields;
    std::istringstream row(line);
    for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
    INFO(line);
    REQUIRE(fields.size() == 10);
    REQUIRE(exercises.count(fields[3]) == 1);
    const grader::Exercise& exercise = exercises.at(fields[3]);
    const auto& speed = exercise.as<grader::SpeedExercise>();
    CHECK(speed.handout_roof <= speed.full_ratio * std::stod(fields[7]));
    ++compared;
  }
  CHECK(compared >= 10);
}

TEST_CASE("each speed has a time on a virtual GPU, or the page says why not", "[exercise]") {
  std::ifstream page(RL_SOURCE "/docs/pages/virtual_gpu.md");
  std::set<std::string> listed;
  bool in_section = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) in_section = line == "### Speeds that it does not judge";
    if (!in_section || !line.starts_with("| `")) continue;
    const std::string exercises = line.substr(0, line.find('|', 1));
    const std::regex id("`([^`]+)`");
    for (std::sregex_iterator at(exercises.begin(), exercises.end(), id), end; at != end; ++at) {
      INFO((*at)[1]);
      CHECK(listed.insert((*at)[1]).second);
    }
  }
  std::vector<SchemaError> errors;
  std::set<std::string> without;
  for (const grader::Topic& topic : grader::load_topics(RL_SOURCE, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) {
      const auto* speed = std::get_if<grader::SpeedExercise>(&exercise.fields);
      if (speed != nullptr && !speed->virtual_race) without.insert(exercise.id);
    }
  }
  CHECK_FALSE(without.empty());
  CHECK(listed == without);
}

TEST_CASE("files outside of the topic are refused", "[exercise]") {
  const std::string kernel = replaced(replaced(kNumber, "\"number\"", "\"kernel\""),
                                      "unit = \"FLOP/B\"\n", "program = \"p\"\nsizes = [1]\n");
  CHECK(only_error(kernel + "files = [\"../../grader/x\"]\n").key == "files");
  CHECK(only_error(kernel + "files = [\"/etc/passwd\"]\n").key == "files");
}

TEST_CASE("TOML that cannot be parsed is one mistake with its place", "[exercise]") {
  const SchemaError error = only_error("[[exercise]]\nid = \"02.a\nkind = 1\n");
  CHECK(error.line == 2);
}

TEST_CASE("one broken exercise leaves the others", "[exercise]") {
  const Checkout checkout;
  checkout.topic("02-test",
                 replaced(kNumber, "points = 1", "points = 0") + replaced(kNumber, "02.a", "02.b"));
  std::vector<SchemaError> errors;
  const auto topics = grader::load_topics(checkout.root(), errors);
  CHECK(errors.size() == 1);
  REQUIRE(topics.at(0).exercises.size() == 1);
  CHECK(topics[0].exercises[0].id == "02.b");
}

namespace {

const std::string kClaim = R"(
[[exercise]]
id = "02.claim"
title = "A claim"
task = "{claim}"
kind = "choice"
points = 1
choices = ["holds", "fails"]
writeup = "a"
hints = ["recompute", "with units"]
[exercise.parameters]
claim = {canonical = 1, choices = [1, 2], texts = "claims.toml"}
)";

std::vector<SchemaError> claim_errors(const std::string& claims) {
  const Checkout checkout;
  checkout.topic("02-test", kClaim);
  checkout.write("claims.toml", claims);
  return checkout.errors();
}

}  // namespace

TEST_CASE("a parameter's values may number texts of a file", "[exercise]") {
  const Checkout checkout;
  checkout.topic("02-test", kClaim);
  checkout.write("claims.toml",
                 "[[claim]]\nnumber = 1\nclaim = 'One.'\n[[claim]]\nnumber = 2\nclaim = 'Two.'\n");
  const auto topics = checkout.topics();
  const grader::ExerciseParameter& claim = topics.at(0).exercises.at(0).parameters().at(0);
  CHECK(claim.texts == std::map<double, std::string>{{1, "One."}, {2, "Two."}});
}

TEST_CASE("a number without a text, and a missing file of texts, are named", "[exercise]") {
  const auto missing = claim_errors("[[claim]]\nnumber = 1\nclaim = 'One.'\n");
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].key == "parameters.claim.texts");
  CHECK(missing[0].message == "has no text number 2");
  const Checkout checkout;
  checkout.topic("02-test", replaced(kClaim, "claims.toml", "../claims.toml"));
  REQUIRE_FALSE(checkout.errors().empty());
  CHECK(checkout.errors()[0].message.find("not a path inside") != std::string::npos);
}

TEST_CASE("a function's cases have the shape of its inputs", "[exercise]") {
  const std::string function = R"(
[[exercise]]
id = "02.f"
title = "F"
task = "Write f()."
kind = "function"
points = 1
program = "formulas"
files = ["formulas.cpp"]
rtol = 0
writeup = "a"
hints = ["think", "think again"]
inputs = [
  {name = "n", integer = true, low = 1, high = 9, edges = [0]},
  {name = "parts", length = [0, 2], fields = [{name = "x", low = 0, high = 1}]},
]
cases = [[3, [[0.5], [1]]], [0, []]]
)";
  const Checkout checkout;
  checkout.topic("02-test", function);
  const auto topics = checkout.topics();
  const auto& cases = topics.at(0).exercises.at(0).as<grader::FunctionExercise>().cases;
  REQUIRE(cases.size() == 2);
  CHECK(cases[0][0].integer() == 3);
  CHECK(cases[0][1].at(1).at(0).number() == 1);
  CHECK(cases[1][1].size() == 0);
  CHECK(only_error(replaced(function, "[0, []]", "[0]")).message == "must be a list of 2");
  CHECK(only_error(replaced(function, "[0, []]", "[10, []]")).message ==
        "n must be a number of its range");
  CHECK(only_error(replaced(function, "[0, []]", "[0, [[2]]]")).message ==
        "x must be a number of its range");
  CHECK(only_error(replaced(function, "[0, []]", "[0, 1]")).message == "parts must be a list");
  CHECK(only_error(replaced(function, "edges = [0]", "edges = [0], sorted = true")).key ==
        "inputs.sorted");
}

namespace {

/// The enumerators that a function exercise lists: for each enumeration, the names in order.
std::vector<std::vector<std::string>> enumerations_of(const grader::Exercise& exercise) {
  std::vector<std::vector<std::string>> result;
  if (exercise.kind() != grader::Kind::kFunction) return result;
  const auto& function = exercise.as<grader::FunctionExercise>();
  for (const auto& input : function.inputs) result.push_back(input.enumerators);
  for (const auto& field : function.returns) result.push_back(field.enumerators);
  std::erase_if(result, [](const auto& names) { return names.empty(); });
  return result;
}

bool declares(const std::string& header, const std::vector<std::string>& names) {
  std::string declared = "enum class \\w+[^{]*\\{\\s*";
  for (std::size_t i = 0; i < names.size(); ++i) {
    declared += names[i] + "( = " + std::to_string(i) + ")?,?\\s*(///[^\\n]*\\s*)?";
  }
  return std::regex_search(header, std::regex(declared + "\\}"));
}

}  // namespace

TEST_CASE("an exercise names an enumeration's values as the student's header does", "[exercise]") {
  const fs::path source(RL_SOURCE);
  std::vector<SchemaError> errors;
  int found = 0;
  for (const auto& topic : grader::load_topics(source, errors)) {
    for (const auto& exercise : topic.exercises) {
      for (const auto& names : enumerations_of(exercise)) {
        ++found;
        INFO(exercise.id);
        CHECK(
            declares(base::read_file(source / "topics" / exercise.topic / "formulas.hpp"), names));
      }
    }
  }
  CHECK(found == 5);
}
