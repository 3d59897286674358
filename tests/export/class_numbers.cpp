// SPDX-License-Identifier: MIT
// A handout with the numbers of a class: it asks for them, its seals belong to their answers, and
// it does not contain the secret that they were drawn with.
#include <cstdlib>
#include <set>

#include "base/files.hpp"
#include "grader/exercise/starter.hpp"
#include "grader/exercise/variant.hpp"
#include "grader/handout/export_student.hpp"
#include "grader/handout/handout.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const std::string kSecret = "a secret of this test only";
/// The same choices as in the test course, whose answers program replies.
const std::string kExercises = R"(# Not ASCII, to try columns: µ
[[exercise]]
id = "90.memory"
title = "Memory of a model"
task = "Bytes of {parameters} parameters in 16-bit floats."
kind = "number"
points = 2
unit = "GB"
rtol = 0.001
writeup = "formulas"
hints = ["Two bytes each."]
misconceptions = [{answer = "90.memory/fp32", message = "this is the size in 32-bit floats"}]
[exercise.parameters]
parameters = {choices = [7e9, 8e9, 13e9, 34e9, 70e9], canonical = 8e9} # the first model

[[exercise]]
id = "90.bound"
title = "What limits SAXPY"
task = "memory or compute, with {fixed} threads and {parameters} parameters?"
kind = "choice"
points = 1
choices = ["memory", "compute"]
writeup = "saxpy"
hints = ["Think of bytes."]
misconceptions = [{word = "compute", message = "two FLOPs wait for twelve bytes"}]
[exercise.parameters]
fixed = 256
parameters = {same_as = "90.memory"}
)";

/// A course of two exercises, and handouts of it.
class Course : public support::TemporaryFolder {
 public:
  Course() {
    write("course/topics/90-course/exercises.toml", kExercises);
    write("course/topics/90-course/README.md", "# Nothing\n");
    write("course/templates/student/README.md", "Yours.\n");
    write("course/templates/student/own_numbers.md", "And these numbers.\n");
    fs::create_directories(path / "course/solutions/90-course");
  }
  fs::path hand_out(const std::string& folder, const grader::Variant& variant,
                    grader::CourseFiles files = grader::CourseFiles::kAll) const {
    grader::Workspace workspace;
    workspace.root = path / "course";
    workspace.build = RL_BUILD;
    workspace.variant = variant;
    grader::Session session(workspace);
    export_student(session, path / folder, files);
    return path / folder;
  }
};

grader::Variant of_class(const std::string& name, const std::string& secret = kSecret) {
  return {secret, "", 1, name};
}

grader::Topic topic_in(const fs::path& handout) {
  std::vector<grader::SchemaError> errors;
  grader::Topic topic = grader::load_topic(handout / "topics/90-course", errors);
  REQUIRE(errors.empty());
  return topic;
}

/// The parameter that the handout asks about.
double asked_for(const fs::path& handout) {
  return topic_in(handout).exercises.at(0).parameters().at(0).canonical;
}

/// A class with numbers other than `value`, among those called 2, 3 ...
std::string class_with_other_numbers(const Course& course, double value) {
  const grader::Topic topic = topic_in(course.path / "course");
  const grader::Exercise& exercise = topic.exercises.at(0);
  int name = 2;
  while (value_of(exercise.parameters().at(0), exercise.id, of_class(std::to_string(name))) ==
         value) {
    ++name;
  }
  return std::to_string(name);
}

}  // namespace

TEST_CASE("the handout of a class asks for its numbers, and seals their answers") {
  const Course course;
  const fs::path out = course.hand_out("one", of_class("1"));
  const double parameters = asked_for(out);
  CHECK(parameters != 8e9);
  const grader::Topic topic = topic_in(out);
  CHECK(topic.exercises.at(1).parameters().at(1).canonical == parameters);
  CHECK(topic.exercises.at(1).parameters().at(0).canonical == 256);
  const std::string answers = base::read_file(out / "topics/90-course/answers.toml");
  CHECK(answers == grader::starter_answers(topic));
  CHECK(answers.find("8000000000") == std::string::npos);

  const grader::Handout handout = grader::Handout::find(out).value();
  const grader::Seal& seal = *handout.answer("90.memory");
  CHECK(grader::open_number(seal, 2 * parameters)->is_right);
  CHECK(grader::open_number(seal, 4 * parameters)->message == "this is the size in 32-bit floats");
  const auto canonical = grader::open_number(seal, 2 * 8e9);
  CHECK_FALSE((canonical && canonical->is_right));
  CHECK(grader::open_word(*handout.answer("90.bound"), "memory").is_right);
}

TEST_CASE("the same class has the same numbers again, another class and secret others") {
  const Course course;
  const double once = asked_for(course.hand_out("one", of_class("1")));
  CHECK(asked_for(course.hand_out("again", of_class("1"))) == once);
  const std::string other = class_with_other_numbers(course, once);
  CHECK(asked_for(course.hand_out("other", of_class(other))) != once);
  std::set<double> by_secret;
  for (int i = 0; i < 20; ++i) {
    const grader::Exercise exercise = topic_in(course.path / "course").exercises.at(0);
    by_secret.insert(value_of(exercise.parameters().at(0), exercise.id,
                              of_class("1", kSecret + std::to_string(i))));
  }
  CHECK(by_secret.size() > 1);
}

TEST_CASE("a number is replaced however it is written, or the export is refused") {
  const Course course;
  const std::string written = "canonical = 8e9}";
  const auto with = [&](const std::string& number) {
    std::string toml = kExercises;
    toml.replace(toml.find(written), written.size(), "canonical = " + number + "}");
    course.write("course/topics/90-course/exercises.toml", toml);
  };
  with("+8_000_000_000.0");
  const double asked = asked_for(course.hand_out("underscores", of_class("1")));
  CHECK(asked == value_of(topic_in(course.path / "course").exercises.at(0).parameters().at(0),
                          "90.memory", of_class("1")));
  CHECK(asked != 8e9);
  with("0x1DCD65000");
  CHECK_THROWS_WITH(course.hand_out("hexadecimal", of_class("1")),
                    Catch::Matchers::Contains("the number parameters of 90.memory is not found"));
}

TEST_CASE("without a secret a handout asks what the course asks") {
  const Course course;
  const fs::path out = course.hand_out("canonical", {});
  CHECK(asked_for(out) == 8e9);
  const grader::Handout handout = grader::Handout::find(out).value();
  CHECK(grader::open_number(*handout.answer("90.memory"), 2 * 8e9)->is_right);
  CHECK(base::read_file(out / "README.md") == "Yours.\n");
  CHECK(base::read_file(course.hand_out("own", of_class("1")) / "README.md") ==
        "Yours.\n\nAnd these numbers.\n");
}

TEST_CASE("the secret is in no file of a handout, wherever it is kept") {
  const Course course;
  const fs::path out = course.hand_out("one", of_class("1"));
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(out)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    INFO(entry.path());
    CHECK(base::read_file(entry.path()).find(kSecret) == std::string::npos);
  }
  CHECK(files > 4);
  course.write("course/topics/secret.txt", kSecret + "\n");
  CHECK_THROWS_WITH(course.hand_out("two", of_class("1")),
                    Catch::Matchers::Contains("topics/secret.txt has the secret in it"));
  CHECK_FALSE(fs::exists(course.path / "two/topics/secret.txt"));
}

TEST_CASE("untracked files are named and refused, ignored ones are left out") {
  const Course course;
  course.write("course/.gitignore", "*.swp\n");
  course.write("course/topics/90-course/README.md.swp", "half a text");
  const std::string folder = "git -C '" + (course.path / "course").string() + "' ";
  REQUIRE(std::system((folder + "init -q && " + folder + "add -A").c_str()) == 0);
  constexpr auto kTracked = grader::CourseFiles::kTracked;
  const fs::path out = course.hand_out("clean", {}, kTracked);
  CHECK(fs::exists(out / "topics/90-course/README.md"));
  CHECK_FALSE(fs::exists(out / "topics/90-course/README.md.swp"));
  course.write("course/bench/draft.cpp", "not handed out anyway");
  course.write("course/topics/90-course/README.md.mine-123", "a student's own, kept by reset");
  CHECK(fs::exists(course.hand_out("again", {}, kTracked) / "topics/90-course/README.md"));
  course.write("course/topics/90-course/my notes.txt", "the exam asks for 16 GB");
  course.write("course/topics/90-course/code/saxpy_solution.cu", "// solved");
  CHECK_THROWS_WITH(course.hand_out("leaky", {}, kTracked),
                    Catch::Matchers::Contains("topics/90-course/code/saxpy_solution.cu, "
                                              "topics/90-course/my notes.txt lie in the course"));
  CHECK_FALSE(fs::exists(course.path / "leaky"));
}

TEST_CASE("where git cannot say what belongs to the course, only --all-files hands out") {
  const Course course;
  course.write("course/topics/90-course/code/saxpy_solution.cu", "// solved");
  CHECK_THROWS_WITH(course.hand_out("refused", {}, grader::CourseFiles::kTracked),
                    Catch::Matchers::Contains("git cannot say which files of") &&
                        Catch::Matchers::Contains("--all-files"));
  CHECK_FALSE(fs::exists(course.path / "refused"));
  const fs::path all = course.hand_out("all", {});
  CHECK(fs::exists(all / "topics/90-course/code/saxpy_solution.cu"));
}

TEST_CASE("a folder that is not empty or cannot be made is refused in one sentence") {
  const Course course;
  course.write("full/of/something", "");
  CHECK_THROWS_WITH(course.hand_out("full", {}), Catch::Matchers::Contains("is not empty"));
  CHECK_THROWS_WITH(course.hand_out("full/of/something/below", {}),
                    Catch::Matchers::Contains("cannot write the folder"));
}
