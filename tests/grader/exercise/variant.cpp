// SPDX-License-Identifier: MIT
// Per-student numbers: reproducible, independent, secret.
#include "grader/exercise/variant.hpp"

#include <map>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using grader::ExerciseParameter;
using grader::value_of;
using grader::Variant;

namespace {
const ExerciseParameter kParameter{"n", 1, {10, 20, 30, 40}};
}

TEST_CASE("values are drawn by HMAC-SHA256, the same in every version", "[variant]") {
  // By Python: int.from_bytes(digest[:8], "big") % 4 is the index of the choice, where digest is
  // hmac.new(b"secret", b"3:ada4:02.01:n1:1", "sha256").digest().
  const std::vector<double> ada = {40, 30, 40, 20, 20, 40};
  // The message of a class: b"5:class6:spring4:02.01:n1:1".
  const std::vector<double> spring = {30, 30, 30, 40, 30, 40};
  for (std::size_t i = 0; i < ada.size(); ++i) {
    const std::string id = "02." + std::to_string(i);
    CHECK(value_of(kParameter, id, {"secret", "ada", 1}) == ada[i]);
    CHECK(value_of(kParameter, id, {"secret", "", 1, "spring"}) == spring[i]);
  }
}

TEST_CASE("without a secret, or without choices, the number is the write-up's", "[variant]") {
  CHECK(value_of(kParameter, "02.a", {}) == 1);
  CHECK(value_of(kParameter, "02.a", {"", "ada", 1}) == 1);
  CHECK(value_of({"n", 7, {}}, "02.a", {"secret", "ada", 1}) == 7);
}

TEST_CASE("a variant is the same every time and changes with each part", "[variant]") {
  const auto draw = [](const Variant& variant) {
    std::string all;
    for (int i = 0; i < 40; ++i) {
      all += std::to_string(value_of(kParameter, "02." + std::to_string(i), variant)) + " ";
    }
    return all;
  };
  CHECK(draw({"secret", "ada", 1}) == draw({"secret", "ada", 1}));
  CHECK(draw({"secret", "ada", 1}) != draw({"secret", "bob", 1}));
  CHECK(draw({"secret", "ada", 1}) != draw({"secret", "ada", 2}));
  CHECK(draw({"secret", "ada", 1}) != draw({"other", "ada", 1}));
}

TEST_CASE("all choices come up about equally, independently between exercises", "[variant]") {
  std::map<std::pair<double, double>, int> pairs;
  for (int i = 0; i < 1600; ++i) {
    const Variant variant{"secret", "student" + std::to_string(i), 1};
    ++pairs[{value_of(kParameter, "02.a", variant), value_of(kParameter, "02.b", variant)}];
  }
  CHECK(pairs.size() == 16);
  // 100 expected; five standard deviations of about 9.7.
  for (const auto& [values, count] : pairs) CHECK((count > 50 && count < 150));
}

TEST_CASE("a class never has the write-up's number where there is another", "[variant]") {
  const ExerciseParameter with_canonical{"n", 20, {10, 20, 30}};
  std::map<double, int> drawn;
  for (int i = 0; i < 600; ++i) {
    ++drawn[value_of(with_canonical, "02.a", {"secret", "", 1, "class" + std::to_string(i)})];
  }
  CHECK(drawn.size() == 2);
  // 300 expected; five standard deviations of about 12.2.
  for (const auto& [value, count] : drawn) {
    CHECK(value != 20);
    CHECK((count > 239 && count < 361));
  }
  CHECK(value_of({"n", 7, {7}}, "02.a", {"secret", "", 1, "b"}) == 7);
  CHECK(value_of(with_canonical, "02.a", {"", "", 1, "b"}) == 20);
}

TEST_CASE("everybody in a class has the same numbers, and no student of that name", "[variant]") {
  bool differs = false;
  for (int i = 0; i < 40; ++i) {
    const std::string id = "02." + std::to_string(i);
    const double of_class = value_of(kParameter, id, {"secret", "", 1, "ada"});
    CHECK(value_of(kParameter, id, {"secret", "bob", 1, "ada"}) == of_class);
    differs = differs || value_of(kParameter, id, {"secret", "ada", 1}) != of_class;
  }
  CHECK(differs);
}

TEST_CASE("a secret is the first line of a file, and long", "[variant]") {
  const support::TemporaryFolder folder;
  folder.write("good", "sixteen letters!\nand more\n");
  CHECK(grader::read_secret(folder.path / "good") == "sixteen letters!");
  folder.write("short", "fifteen letters\n");
  CHECK_THROWS_WITH(grader::read_secret(folder.path / "short"),
                    Catch::Matchers::Contains("has 15 characters"));
  folder.write("empty", "");
  for (const char* name : {"empty", "missing", "."}) {
    INFO(name);
    CHECK_THROWS_WITH(grader::read_secret(folder.path / name),
                      Catch::Matchers::Contains("no secret can be read"));
  }
}

TEST_CASE("a parameter that is the same as another exercise's is drawn as that one", "[variant]") {
  ExerciseParameter shared = kParameter;
  shared.same_as = "02.a";
  bool differs = false;
  for (int i = 0; i < 40; ++i) {
    const Variant variant{"secret", "student" + std::to_string(i), 1};
    CHECK(value_of(shared, "02.b", variant) == value_of(kParameter, "02.a", variant));
    differs =
        differs || value_of(kParameter, "02.b", variant) != value_of(kParameter, "02.a", variant);
  }
  CHECK(differs);
}

TEST_CASE("a task shows the parameters' values, or the texts that they stand for", "[variant]") {
  grader::Exercise exercise;
  exercise.id = "01.a";
  exercise.task = "Is this right: {claim}? And for n = {n}: {claim}? {other}";
  exercise.as<grader::NumberExercise>().parameters = {
      {"claim", 2, {1, 2}, {}, {{1, "one {n}"}, {2, "two"}}}, {"n", 4096, {}, {}}};
  CHECK(grader::task_text(exercise) == "Is this right: two? And for n = 4096: two? {other}");
  std::map<std::string, int> shown;
  for (int i = 0; i < 100; ++i) {
    ++shown[grader::task_text(exercise, {"secret", "student" + std::to_string(i), 1})];
  }
  CHECK(shown.size() == 2);
}

TEST_CASE("a student's sheet shows the texts of their own", "[variant]") {
  grader::Exercise exercise;
  exercise.id = "01.a";
  exercise.title = "A claim";
  exercise.task = "{claim} Does it hold?";
  exercise.as<grader::NumberExercise>().parameters = {
      {"claim", 1, {2}, {}, {{1, "Everyone's."}, {2, "Ada's own."}}}};
  const std::string sheet =
      grader::variant_sheet({{"01-test", {}, {exercise}}}, {"secret", "ada", 1});
  CHECK(sheet.find("Ada's own. Does it hold?") != std::string::npos);
  CHECK(sheet.find("Everyone's") == std::string::npos);
}
