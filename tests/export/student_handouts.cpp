// SPDX-License-Identifier: MIT
// Every student's own files, copied over one handout: each copy asks and judges its own student's
// numbers, and the batch reaches the same verdicts.
#include "grader/handout/student_handouts.hpp"

#include <cstdio>
#include <map>
#include <set>

#include "base/files.hpp"
#include "grader/batch/archive.hpp"
#include "grader/batch/batch.hpp"
#include "grader/handout/export_student.hpp"
#include "grader/handout/handout.hpp"
#include "grader/judge/grade.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using grader::Status;
using grader::Student;

namespace {

const std::string kSecret = "a secret of this test only";

/// The first exercises of the test course, 90.intensity to 90.attainable, none of them a kernel. A
/// course without solutions to derive starters from; its reference programs come from the build.
const fs::path& course_folder() {
  static const support::TemporaryFolder folder;
  const std::string name = "topics/90-course/exercises.toml";
  if (!fs::exists(folder.path / name)) {
    const std::string all = base::read_file(fs::path(RL_TEST_COURSE) / name);
    const auto end = all.rfind("[[exercise]]", all.find("\"90.blocks\""));
    REQUIRE(end != std::string::npos);
    folder.write(name, all.substr(0, end));
    fs::create_directories(folder.path / "solutions/90-course");
  }
  return folder.path;
}

grader::Workspace course() {
  grader::Workspace workspace;
  workspace.root = course_folder();
  workspace.build = RL_BUILD;
  return workspace;
}

grader::Workspace course_with_secret() {
  grader::Workspace workspace = course();
  workspace.variant.secret = kSecret;
  return workspace;
}

std::map<std::string, std::string> files_in(const fs::path& zip) {
  std::map<std::string, std::string> files;
  grader::read_archive(
      zip, 10 << 20, [](const std::string&) { return true; },
      [&](grader::ArchiveEntry entry) {
        REQUIRE(entry.problem.empty());
        files[entry.path] = entry.content;
      });
  return files;
}

/// The number on a student's sheet: "  parameters = 1.3e+10".
double parameters_on(const std::string& sheet) {
  const std::string name = "\n  parameters = ";
  const auto at = sheet.find(name);
  REQUIRE(at != std::string::npos);
  return std::stod(sheet.substr(at + name.size()));
}

double parameters_of(const fs::path& zip) {
  return parameters_on(files_in(zip).at("numbers.txt"));
}

/// The answer to 90.memory: two bytes per parameter.
std::string answers(double parameters) {
  return "[\"90.intensity\"]\nvalue = \"0.1667\"\n[\"90.memory\"]\nvalue = \"" +
         std::to_string(2 * parameters) + " B\"\n";
}

/// The number drawn for 90.memory.
double drawn_for(const std::string& student, int version = 1) {
  std::vector<grader::SchemaError> errors;
  const grader::Topic topic = grader::load_topic(course_folder() / "topics/90-course", errors);
  const grader::Exercise& memory = topic.exercises.at(2);
  REQUIRE(memory.id == "90.memory");
  return value_of(memory.parameters().at(0), memory.id, {kSecret, student, version});
}

/// Ada and somebody with other numbers, and the files of both.
class TwoStudents : public support::TemporaryFolder {
 public:
  TwoStudents() {
    for (int i = 0; drawn_for(other) == drawn_for("ada"); ++i) other = "ben" + std::to_string(i);
    write_student_handouts(course_with_secret(), {{"ada", ""}, {other, ""}}, own);
  }

  std::string other = "ada";
  fs::path own = path / "own";  ///< the folder with their archives
};

/// A copy of a handout with a student's files copied over it.
fs::path lay_over(const fs::path& handout, const fs::path& zip, const fs::path& copy) {
  fs::copy(handout, copy, fs::copy_options::recursive);
  for (const auto& [path, content] : files_in(zip)) {
    INFO(path);
    CHECK((path == "numbers.txt" || fs::exists(copy / path)));  // only the sheet is new
    base::write_file_atomically(copy / path, content);
  }
  return copy;
}

/// Verdicts on three exercises of a handout that contains these answers. The function's program is
/// the solution's.
std::map<std::string, Status> judged_in(const fs::path& handout, const std::string& answers) {
  base::write_file_atomically(handout / "topics/90-course/answers.toml", answers);
  grader::Workspace workspace;
  workspace.root = handout;
  workspace.build = RL_BUILD;
  workspace.student_bin = fs::path(RL_BUILD) / "bin" / "solutions";
  grader::Session session(workspace);
  REQUIRE(session.handout());
  std::vector<grader::SchemaError> errors;
  std::map<std::string, Status> verdicts;
  for (const auto& exercise : grader::load_topic(handout / "topics/90-course", errors).exercises) {
    if (exercise.id == "90.intensity" || exercise.id == "90.memory" ||
        exercise.id == "90.attainable") {
      verdicts[exercise.id] = grade(session, exercise).status;
    }
  }
  REQUIRE(errors.empty());
  REQUIRE(verdicts.size() == 3);
  return verdicts;
}

/// The verdicts on 90.memory of a batch with the secret, by student.
std::map<std::string, Status> judged_by_batch(const fs::path& folder,
                                              const std::map<std::string, double>& handed_in) {
  for (const auto& [student, parameters] : handed_in) {
    const fs::path topic = folder / "in" / student / "90-course";
    fs::create_directories(topic);
    base::write_file_atomically(topic / "answers.toml", answers(parameters));
  }
  grader::BatchOptions options;
  options.submissions = folder / "in";
  options.root = RL_TEST_COURSE;
  options.build = RL_BUILD;
  options.out = folder / "out";
  options.exercises = {"90.memory"};
  options.secret = kSecret;
  options.isolation = grader::Isolation::kLight;
  run_batch(options);
  std::map<std::string, Status> verdicts;
  for (const auto& [student, parameters] : handed_in) {
    verdicts[student] =
        grader::parse_results(base::read_file(folder / "out/results" / (student + ".json")))
            .verdicts.at(0)
            .status;
  }
  return verdicts;
}

}  // namespace

TEST_CASE("each student's handout takes the own numbers and no other's, as the batch does") {
  const TwoStudents two;
  grader::Session session(course());
  export_student(session, two.path / "handout", grader::CourseFiles::kAll);
  const fs::path ada_zip = two.own / "ada.zip";
  const fs::path ben_zip = two.own / (two.other + ".zip");
  const fs::path ada = lay_over(two.path / "handout", ada_zip, two.path / "ada");
  const fs::path ben = lay_over(two.path / "handout", ben_zip, two.path / "ben");
  const double of_ada = parameters_of(ada_zip);
  const double of_ben = parameters_of(ben_zip);
  REQUIRE(of_ada != of_ben);

  using Verdicts = std::map<std::string, Status>;
  const auto expected = [](Status memory) {
    return Verdicts{{"90.intensity", Status::kPassed},
                    {"90.memory", memory},
                    {"90.attainable", Status::kPassed}};
  };
  CHECK(judged_in(ada, answers(of_ada)) == expected(Status::kPassed));
  CHECK(judged_in(ada, answers(of_ben)) == expected(Status::kFailed));
  CHECK(judged_in(ben, answers(of_ben)) == expected(Status::kPassed));
  CHECK(judged_in(ben, answers(of_ada)) == expected(Status::kFailed));
  // The handout alone knows neither: the write-up's 8e9 is correct there, and only there.
  CHECK(judged_in(two.path / "handout", answers(8e9)) == expected(Status::kPassed));

  CHECK(judged_by_batch(two.path / "as drawn", {{"ada", of_ada}, {two.other, of_ben}}) ==
        Verdicts{{"ada", Status::kPassed}, {two.other, Status::kPassed}});
  CHECK(judged_by_batch(two.path / "swapped", {{"ada", of_ben}, {two.other, of_ada}}) ==
        Verdicts{{"ada", Status::kFailed}, {two.other, Status::kFailed}});
}

TEST_CASE("answers.toml and exercises.toml ask for what the sheet says, without mistakes") {
  const TwoStudents two;
  const auto files = files_in(two.own / "ada.zip");
  const double parameters = parameters_on(files.at("numbers.txt"));
  char asked[64];
  std::snprintf(asked, sizeof asked, "Bytes of %.15g parameters in 16-bit floats.", parameters);
  CHECK_THAT(files.at("topics/90-course/answers.toml"), Contains(std::string(asked)));
  const support::TemporaryFolder folder;
  folder.write("90-course/exercises.toml", files.at("topics/90-course/exercises.toml"));
  std::vector<grader::SchemaError> errors;
  const grader::Topic topic = grader::load_topic(folder.path / "90-course", errors);
  REQUIRE(errors.empty());
  CHECK(task_text(topic.exercises.at(2)) == asked);
  for (const grader::Exercise& exercise : topic.exercises) CHECK(exercise.misconceptions.empty());
  for (const auto& [path, content] : files) {
    INFO(path);
    CHECK(content.find(kSecret) == std::string::npos);
  }
}

TEST_CASE("an answer is sealed once for all who have its numbers") {
  const support::TemporaryFolder folder;
  std::vector<Student> students;
  for (int i = 0; i < 40; ++i) students.push_back({"student" + std::to_string(i), ""});
  const grader::StudentHandouts written =
      write_student_handouts(course_with_secret(), students, folder.path / "out");
  std::set<double> drawn;
  std::set<std::string> undrawn;  // salts of 90.intensity, which has no parameters
  std::map<double, std::set<std::string>> salts;
  std::uintmax_t bytes = 0;
  for (const Student& student : students) {
    const fs::path zip = folder.path / "out" / (student.id + ".zip");
    bytes += fs::file_size(zip);
    drawn.insert(parameters_of(zip));
    for (const grader::Seal& seal : grader::parse_seals(files_in(zip).at(".course/answers.json"))) {
      if (seal.label == "90.memory") salts[parameters_of(zip)].insert(seal.salt);
      if (seal.label == "90.intensity") undrawn.insert(seal.salt);
    }
  }
  CHECK(written.students == 40);
  CHECK(written.bytes == bytes);
  // With five choices, the chance that forty draws miss one is below 0.1 %.
  CHECK(drawn.size() == 5);
  CHECK(undrawn.size() == 1);
  for (const auto& [parameters, of_them] : salts) CHECK(of_them.size() == 1);
  // 90.intensity, 90.rate, 90.bound, and 90.memory five times.
  CHECK(written.sealed == 3 + 5);
}

TEST_CASE("an edition of one's own gives other numbers") {
  const support::TemporaryFolder folder;
  int version = 2;
  while (drawn_for("ada", version) == drawn_for("ada")) ++version;
  const fs::path out = folder.path / "out";
  write_student_handouts(course_with_secret(), {{"ada", "", version}}, out);
  CHECK(parameters_of(out / "ada.zip") == drawn_for("ada", version));
}

TEST_CASE("what cannot be written leaves nothing behind") {
  const support::TemporaryFolder folder;
  const auto write = [&](const std::vector<Student>& students, const std::string& out) {
    write_student_handouts(course_with_secret(), students, folder.path / out);
  };
  CHECK_THROWS_WITH(write({}, "out"), Contains("nobody on the roster"));
  CHECK_THROWS_WITH(write({{"Ada", ""}, {"ben", ""}, {"ada", ""}}, "out"),
                    Contains("the ids Ada and ada would be the same file"));
  CHECK(fs::is_empty(folder.path));
  folder.write("full/something", "mine");
  CHECK_THROWS_WITH(write({{"ada", ""}}, "full"), Contains("is not empty; name a new folder"));
  CHECK(base::read_file(folder.path / "full/something") == "mine");
  CHECK_THROWS_WITH(write({{"ada", ""}}, "full/something"), Contains("is not empty"));
  CHECK_THROWS_WITH(write({{"ada", ""}}, "full/something/below"),
                    Contains("cannot write the folder"));
  grader::Workspace broken = course_with_secret();
  broken.build = folder.path / "full";  // no answers programs there
  CHECK_THROWS(write_student_handouts(broken, {{"ada", ""}}, folder.path / "out"));
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
  fs::create_directories(folder.path / "empty");
  write({{"ada", ""}}, "empty/");
  CHECK(fs::exists(folder.path / "empty/ada.zip"));
}
