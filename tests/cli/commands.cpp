// SPDX-License-Identifier: MIT
// Every command of ./lab on the test course.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "course.hpp"
#include "course_copy.hpp"
#include "grader/report/report.hpp"
#include "support/catch.hpp"

namespace {

using Catch::Contains;
using namespace cli_test;

const char* const kRight = "0.16667 FLOP/B";

}  // namespace

TEST_CASE("next names file, line, task and command, and moves on when it is solved") {
  const CourseCopy course;
  const Ran first = run(course.lab({"next"}));
  CHECK(first.status == 0);
  CHECK_THAT(first.shown, Contains("90.intensity"));
  CHECK_THAT(first.shown, Contains("topics/90-course/answers.toml, line "));
  CHECK_THAT(first.shown, Contains("./lab check 90.intensity"));
  course.answer("90.intensity", kRight);
  CHECK(run(course.lab({"check", "90.intensity"})).status == 0);
  CHECK_THAT(run(course.lab({"next"})).shown,
             Contains("./lab check 90.") && !Contains("90.intensity"));
}

TEST_CASE("check gives the grader's verdicts") {
  const CourseCopy course;
  course.answer("90.intensity", "0.25 FLOP/B");
  const Ran wrong = run(course.lab({"check", "90.intensity"}));
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.shown, Contains("the read of y was forgotten"));
  CHECK_THAT(wrong.shown, Contains("./lab hint 90.intensity"));
  CHECK_THAT(wrong.shown, !Contains("0.166"));

  const Ran unsolved = run(course.lab({"check", "90.saxpy"}));
  CHECK(unsolved.status == 1);
  CHECK_THAT(unsolved.shown, Contains("unsolved"));

  const Ran several = run(course.lab({"check", "90.intensity", "90.bound", "90.intensity"}));
  CHECK_THAT(several.shown, Contains("Sum"));
  CHECK(run(course.lab({"check", "91"})).status == 1);
}

TEST_CASE(
    "the beginning of an id is enough, whole words first; a typing error suggests similar ids") {
  const CourseCopy course;
  course.answer("90.intensity", kRight);
  const Ran letters = run(course.lab({"check", "90.int"}));
  CHECK(letters.status == 0);
  CHECK_THAT(letters.shown, Contains("90.intensity"));
  // 90.saxpy-speed begins with another word, so it is not listed.
  const Ran word = run(course.lab({"list", "90.saxpy"}));
  CHECK_THAT(word.shown, Contains("90.saxpy ") && !Contains("90.saxpy-speed"));
  const Ran both = run(course.lab({"list", "90.sax"}));
  CHECK_THAT(both.shown, Contains("90.saxpy ") && Contains("90.saxpy-speed"));
  CHECK_THAT(run(course.lab({"hint", "90.t"})).shown, Contains("several") && Contains("90.total"));
  CHECK_THAT(run(course.lab({"hint", "90.tot"})).shown, Contains("Hints for 90.total"));

  const Ran typo = run(course.lab({"check", "90.saxpi"}));
  CHECK(typo.status == 1);
  CHECK_THAT(typo.shown, Contains("no exercise is called 90.saxpi; did you mean 90.saxpy?"));
  CHECK_THAT(run(course.lab({"hint", "90.intesity"})).shown,
             Contains("did you mean 90.intensity?"));
  CHECK_THAT(run(course.lab({"list", "frob"})).shown, Contains("called frob; ./lab list"));
}

TEST_CASE("check with no id judges everything, in the course's order") {
  const CourseCopy course;
  course.answer("90.intensity", kRight);
  const Ran all = run(course.lab({"check"}));
  CHECK(all.status == 1);
  CHECK_THAT(all.shown, Contains("90.intensity  1/1 points") && Contains("Sum"));
  const cli::Course read(course.root(), course.build());
  std::size_t before = 0;
  for (const grader::Exercise& exercise : read.exercises()) {
    CAPTURE(exercise.id);
    const std::size_t at = all.shown.find(exercise.id + "  ", before);
    CHECK(at != std::string::npos);
    if (at != std::string::npos) before = at;
  }
}

TEST_CASE("a terminal of 40 columns is wide enough") {
  const CourseCopy course;
  CHECK_THAT(run(course.lab({"list", "90"}), 40).shown, Contains("90.saxpy-speed"));
  CHECK_THAT(run(course.lab({"progress"}), 40).shown, Contains(" 0 %"));
  CHECK_THAT(run(course.lab({"hint", "90.saxpy"}), 40).shown, Contains("Hints for 90.saxpy"));
}

TEST_CASE("list and progress show points") {
  const CourseCopy course;
  course.answer("90.intensity", kRight);
  CHECK(run(course.lab({"check", "90.intensity"})).status == 0);
  CHECK_THAT(run(course.lab({"list"})).shown, Contains("* 90.intensity"));
  CHECK_THAT(run(course.lab({"list", "90.saxpy"})).shown, !Contains("90.intensity"));
  CHECK_THAT(run(course.lab({"progress"})).shown, Contains("[#"));
  const auto report = nlohmann::json::parse(run(course.lab({"progress", "--json"})).shown);
  CHECK(report.at("points") == 1);
  CHECK(report.at("solved") == 1);
  CHECK(report.at("topics").at(0).at("topic") == "90-course");
}

TEST_CASE("hints come one at a time and are remembered") {
  const CourseCopy course;
  const std::string toml = read_text(course.file("exercises.toml"));
  std::string more = toml;
  more.replace(more.find("[\"Count three transfers.\"]"), 26, "[\"one\", \"two\", \"three\"]");
  write_text(course.file("exercises.toml"), more);
  CHECK_THAT(run(course.lab({"hint", "90.intensity"})).shown,
             Contains("1 of 3") && !Contains("two"));
  CHECK_THAT(run(course.lab({"hint", "90.intensity"})).shown,
             Contains("two") && !Contains("three"));
  run(course.lab({"hint", "90.intensity"}));
  CHECK_THAT(run(course.lab({"hint", "90.intensity"})).shown, Contains("That was the last hint"));
  CHECK_THAT(run(course.lab({"hint", "90"})).shown, Contains("several exercises"));
}

TEST_CASE("a command line that cannot be read is refused in one sentence") {
  const CourseCopy course;
  const Ran no_id = run(course.lab({"hint"}));
  CHECK(no_id.status == 2);
  CHECK_THAT(no_id.shown, Contains("lab hint: ID is required; see ./lab hint --help"));
  const Ran unknown = run(course.lab({"check", "--frob"}));
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.shown, Contains("--frob") && Contains("./lab check"));
  CHECK(run(course.lab({"frob"})).status == 2);
}

TEST_CASE("no help is wider than the terminal") {
  const CourseCopy course;
  for (const char* command : {"start", "next", "check", "watch", "list", "progress", "hint",
                              "reset", "show", "profile", "roofline"}) {
    INFO(command);
    CHECK(run(course.lab({command, "--help"})).status == 0);  // run() checks the width
  }
}

TEST_CASE("a damaged record of hints is not fatal") {
  const CourseCopy course;
  std::filesystem::create_directories(course.root() / ".lab");
  write_text(course.root() / ".lab" / "hints.json", "{\"90.intensity\": \"many\"");
  CHECK(run(course.lab({"hint", "90.intensity"})).status == 0);
}

TEST_CASE("reset puts the exercise's part back and keeps the student's file") {
  const CourseCopy course;
  course.answer("90.intensity", kRight);
  course.answer("90.memory", "16 GB");
  CHECK(run(course.lab({"check", "90.intensity"})).status == 0);
  const Ran reset = run(course.lab({"reset", "90.intensity"}));
  CHECK(reset.status == 0);
  CHECK_THAT(reset.shown, Contains("answers.toml.mine-1"));
  CHECK_THAT(read_text(course.file("answers.toml")), !Contains(kRight) && Contains("16 GB"));
  CHECK_THAT(read_text(course.file("answers.toml.mine-1")), Contains(kRight));
  CHECK_THAT(run(course.lab({"next"})).shown, Contains("90.intensity"));
}

TEST_CASE("reset puts a kernel's file back") {
  const CourseCopy course;
  const std::string starter = "// TODO(90.saxpy): write it\nstub\n// END TODO(90.saxpy)\n";
  write_text(course.root() / "solutions" / "90-course" / "code" / "saxpy.cu",
             "//@solve 90.saxpy: write it\nright\n//@stub\n//| stub\n//@end\n");
  write_text(course.file("code/saxpy.cu"), starter + "// my own line\n");
  CHECK_THAT(run(course.lab({"reset", "90.saxpy"})).shown, Contains("already the starter"));
  CHECK(run(course.lab({"reset", "90.saxpy", "--file"})).status == 0);
  CHECK(read_text(course.file("code/saxpy.cu")) == starter);
  CHECK_THAT(read_text(course.file("code/saxpy.cu.mine-1")), Contains("my own line"));
}

TEST_CASE("the solution is shown only when solved, or on demand") {
  const CourseCopy course;
  const Ran refused = run(course.lab({"show", "90.intensity"}));
  CHECK(refused.status == 1);
  CHECK_THAT(refused.shown, Contains("--spoiler") && !Contains("0.16"));
  CHECK_THAT(run(course.lab({"show", "90.intensity", "--spoiler"})).shown, Contains("0.1666"));
  CHECK_THAT(run(course.lab({"show", "90.saxpy", "--spoiler"})).shown, Contains("saxpy.cu"));
  course.answer("90.intensity", kRight);
  CHECK(run(course.lab({"check", "90.intensity"})).status == 0);
  CHECK_THAT(run(course.lab({"show", "90.intensity"})).shown, Contains("0.1666"));
}

TEST_CASE("the chart needs a measured machine, and says so") {
  const CourseCopy course;
  CHECK_THAT(run(course.lab({"roofline"})).shown, Contains("./lab start"));
}

TEST_CASE("start and roofline draw the measured machine, with the kernels that were timed") {
  const CourseCopy course;
  std::filesystem::copy_file(RL_MEASURED, course.build() / "machine.json");
  const Ran start = run(course.lab({"start"}));
  CHECK(start.status == 0);
  CHECK_THAT(start.shown, Contains("NVIDIA H200") && Contains("Your first exercise"));
  CHECK_THAT(run(course.lab({"roofline"})).shown, Contains("None of your kernels"));

  grader::Exercise exercise;
  exercise.id = "90.saxpy-speed";
  exercise.topic = "90-course";
  grader::Results results;
  results.verdicts = {grader::verdict_for(exercise, grader::Status::kPartial, "half")};
  results.verdicts[0].metrics = {{"flops_per_byte", 1.0 / 6}, {"flops_per_second", 3e11}};
  std::filesystem::create_directories(course.build() / "grade");
  write_text(course.build() / "grade" / "90.saxpy-speed.json", grader::results_json(results));
  const Ran chart = run(course.lab({"roofline"}));
  CHECK(chart.status == 0);
  // 3e11 of 4.488e12 / 6 FLOP/s are 40 % of the slope.
  CHECK_THAT(chart.shown, Contains("A saxpy") && !Contains("stale") &&
                              Contains("\n  saxpy: Make neighbouring threads"));

  // Above the roof of 4.488 TB/s, which is that of reading: the chart must not show that without
  // comment.
  results.verdicts[0].metrics[1].second = 1.77 * 4.488e12 / 6;
  write_text(course.build() / "grade" / "90.saxpy-speed.json", grader::results_json(results));
  CHECK_THAT(run(course.lab({"roofline"})).shown, Contains("saxpy is at 177 % of the roof") &&
                                                      Contains("stale") &&
                                                      Contains("./lab start --measure"));

  // The same as a picture.
  const std::string page = (course.root() / "chart.html").string();
  const Ran written = run(course.lab({"roofline", "--out", page}));
  CHECK(written.status == 0);
  CHECK_THAT(written.shown, Contains("Written: "));
  CHECK_THAT(read_text(page), Contains("saxpy") && Contains("NVIDIA H200"));
  const Ran refused = run(course.lab({"roofline", "--out", "chart.bmp"}));
  CHECK(refused.status != 0);
  CHECK_THAT(refused.shown, Contains("chart.bmp") && !Contains("Written"));
}

TEST_CASE("a second ./lab says who is at work and waits") {
  const CourseCopy course;
  course.answer("90.intensity", kRight);
  std::filesystem::create_directories(course.root() / ".lab");
  const std::string file = (course.root() / ".lab" / "lock").string();
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  REQUIRE(descriptor >= 0);
  REQUIRE(::flock(descriptor, LOCK_EX) == 0);
  REQUIRE(::write(descriptor, "check, process 1\n", 17) == 17);
  Terminal second(course.lab({"check", "90.intensity"}));
  CHECK(second.expect("Another ./lab is running in this checkout (check, process 1)."));
  CHECK_FALSE(second.expect("passed", 0.5));
  ::close(descriptor);
  CHECK(second.expect("passed"));
  CHECK(second.wait() == 0);
}

TEST_CASE("a check waits for another build of the tree, and says so") {
  const CourseCopy course;
  write_text(course.build() / "CMakeCache.txt", "");  // makes it a build tree
  const std::string programs = (course.root() / "programs").string();
  std::filesystem::create_directories(programs);
  write_text(programs + "/cmake", "#!/bin/sh\n");  // pretends that everything is built
  std::filesystem::permissions(programs + "/cmake", std::filesystem::perms::owner_all);
  const std::string file = (course.build() / ".build-lock").string();
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  REQUIRE(descriptor >= 0);
  REQUIRE(::flock(descriptor, LOCK_EX) == 0);
  std::vector<std::string> command = course.lab({"check", "90.saxpy"});
  command.insert(command.begin(), {"/usr/bin/env", "PATH=" + programs + ":" + std::getenv("PATH")});
  Terminal check(command);
  CHECK(check.expect("Another build of this tree is running; waiting"));
  CHECK_FALSE(check.expect("unsolved", 0.5));
  ::close(descriptor);
  CHECK(check.expect("unsolved"));
  check.wait();
}

TEST_CASE("what was judged before an interruption is kept") {
  const CourseCopy course;
  course.answer("90.intensity", kRight);
  Terminal all(course.lab({"check", "90.intensity", "90.saxpy"}));
  REQUIRE(all.expect("90.intensity  1/1 points"));
  all.kill(SIGKILL);
  all.wait();
  CHECK_THAT(run(course.lab({"list"})).shown, Contains("* 90.intensity"));
  CHECK(run(course.lab({"check", "90.intensity"})).status == 0);
}
