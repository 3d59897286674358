// SPDX-License-Identifier: MIT
// Which student a submission belongs to, by the names that platforms and people use.
#include "grader/batch/attempts.hpp"

#include "grader/batch/result_files.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

using grader::Attempt;
using grader::ClassWork;

std::vector<grader::Submission> named(const std::vector<std::string>& names) {
  std::vector<grader::Submission> found;
  for (const std::string& name : names) {
    found.push_back({grader::without_archive_ending(name), name});
  }
  return found;
}

std::vector<grader::Student> roster(const std::vector<std::string>& ids) {
  std::vector<grader::Student> students;
  for (const std::string& id : ids) students.push_back({id, "", 0});
  return students;
}

/// What counts for each student, in the roster's order, "-" for nothing.
std::string counted(const ClassWork& work) {
  std::string all;
  for (const grader::Work& own : work.students) {
    all += own.student.id + ":";
    for (const auto& attempt : own.attempts) {
      for (const grader::Submission& s : attempt) all += s.path.string() + " ";
    }
    if (own.attempts.empty()) all += "- ";
  }
  return all;
}

}  // namespace

TEST_CASE("an id that begins another's gets nothing of it", "[attempts]") {
  for (const auto& ids :
       {std::vector<std::string>{"li", "max"}, {"li", "li-wei", "max", "max-mueller"}}) {
    const ClassWork work =
        sort_by_student(named({"li-wei.zip", "max-mueller"}), roster(ids), Attempt::kLast);
    INFO(ids.size());
    CHECK(counted(work) == (ids.size() == 2
                                ? "li:- max:- "
                                : "li:- li-wei:li-wei.zip max:- max-mueller:max-mueller "));
    CHECK(work.unowned.size() == (ids.size() == 2 ? 2U : 0U));
  }
}

TEST_CASE("names as platforms write them find their students", "[attempts]") {
  const ClassWork work = sort_by_student(
      named({"ada", "bob_late_123_456_work.zip", "kim_attempt_2",
             "Zoë Müller_77_assignsubmission_file", "max-2.zip", "eve (1).tar.gz", "nobody.zip"}),
      roster({"ada", "bob", "kim", "Zoë Müller", "max", "eve"}), Attempt::kLast);
  CHECK(counted(work) ==
        "ada:ada bob:bob_late_123_456_work.zip kim:kim_attempt_2 "
        "Zoë Müller:Zoë Müller_77_assignsubmission_file max:max-2.zip eve:eve (1).tar.gz ");
  REQUIRE(work.unowned.size() == 1);
  CHECK(work.unowned[0].path == "nobody.zip");
}

TEST_CASE("the last attempt counts unless the class says otherwise", "[attempts]") {
  const auto found = named({"ada_attempt_10.zip", "ada_attempt_9.zip", "ada_attempt_1.zip"});
  const ClassWork last = sort_by_student(found, roster({"ada"}), Attempt::kLast);
  CHECK(counted(last) == "ada:ada_attempt_10.zip ");
  CHECK(last.students[0].notes.at(0) ==
        "handed in several times; graded: ada_attempt_10.zip; left: ada_attempt_1.zip, "
        "ada_attempt_9.zip");
  CHECK(counted(sort_by_student(found, roster({"ada"}), Attempt::kFirst)) ==
        "ada:ada_attempt_1.zip ");
  const ClassWork best = sort_by_student(found, roster({"ada"}), Attempt::kBest);
  CHECK(best.students[0].attempts.size() == 3);
  CHECK(counted(best) == "ada:ada_attempt_1.zip ada_attempt_9.zip ada_attempt_10.zip ");
  CHECK(best.students[0].notes.empty());
}

TEST_CASE("one name in several archive formats is one student", "[attempts]") {
  const auto found = named({"ada", "ada.tar.gz", "ada.zip", "bob"});
  CHECK(counted(sort_by_student(found, {}, Attempt::kLast)) ==
        "ada:ada ada.tar.gz ada.zip bob:bob ");
}

TEST_CASE("class lists as spreadsheets write them", "[attempts]") {
  const support::TemporaryFolder folder;
  const std::vector<std::string> texts = {"\xef\xbb\xbfid,name\nada,Ada\nbob,\"B, ob\"\n",
                                          "Name;ID\r\nAda;ada\r\nB, ob;bob\r\n",
                                          " Id \tNAME\nada\tAda\nbob \tB, ob\n"};
  for (const std::string& text : texts) {
    folder.write("roster.csv", text);
    const auto students = grader::read_roster(folder.path / "roster.csv");
    INFO(text);
    REQUIRE(students.size() == 2);
    CHECK(students[0].id == "ada");
    CHECK(students[0].name == "Ada");
    CHECK(students[1].id == "bob");
    CHECK(students[1].name == "B, ob");
  }
  folder.write("roster.csv", "id,name\nada,M\xfcller\n");
  CHECK_THROWS_WITH(grader::read_roster(folder.path / "roster.csv"),
                    Catch::Contains("roster.csv:2: not UTF-8"));
}

TEST_CASE("ids become file names that no other id has", "[attempts]") {
  CHECK(grader::student_file_name("ada-1") == "ada-1");
  CHECK(grader::student_file_name("Zoë") == "Zoë");
  const std::string slash = grader::student_file_name("a/b");
  CHECK(slash.find('/') == std::string::npos);
  CHECK(slash != grader::student_file_name("a\\b"));
  CHECK(slash != grader::student_file_name("a_b"));
  CHECK(grader::student_file_name("..") != grader::student_file_name("."));
  CHECK(grader::student_file_name("..").find('.') == std::string::npos);
}
