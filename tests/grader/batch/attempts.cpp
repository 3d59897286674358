// SPDX-License-Identifier: MIT
// Matches submissions with students by the names that platforms and people use.
#include "grader/batch/attempts.hpp"

#include "base/utf8.hpp"
#include "grader/batch/result_files.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

using grader::Attempt;
using grader::ClassWork;

grader::Found named(const std::vector<std::string>& names) {
  grader::Found found;
  for (const std::string& name : names) {
    found.submissions.push_back({grader::without_archive_ending(name), name});
  }
  return found;
}

std::vector<grader::Student> roster(const std::vector<std::string>& ids) {
  std::vector<grader::Student> students;
  for (const std::string& id : ids) students.push_back({id, "", 0});
  return students;
}

/// What counts for each student, in roster order; "-" for nothing.
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

// Moodle puts the full name first, Canvas the last name and the first without a blank.
TEST_CASE("a submission is found by the name that the class list gives it", "[attempts]") {
  const support::TemporaryFolder folder;
  folder.write(
      "roster.csv",
      "id,submission\ns1,Ada Lovelace\ns2,lovelaceben\nAda,\ns4,s4\ns5,Ada Lovelace-King\n");
  const auto students = grader::read_roster(folder.path / "roster.csv");
  const ClassWork work = sort_by_student(
      named({"Ada Lovelace_77_assignsubmission_file", "lovelaceben_LATE_4_9_work.zip",
             "Ada Lovelace-King_78_assignsubmission_file", "s1_2.zip", "Ada_1", "s4"}),
      students, Attempt::kFirst);
  CHECK(counted(work) ==
        "s1:Ada Lovelace_77_assignsubmission_file s2:lovelaceben_LATE_4_9_work.zip Ada:Ada_1 s4:s4 "
        "s5:Ada Lovelace-King_78_assignsubmission_file ");
  CHECK(work.students[0].others.at(0).at(0).path == "s1_2.zip");
  CHECK(work.unowned.empty());
  for (const char* line : {"b,Li Wei\n", "Li Wei,\n"}) {
    folder.write("roster.csv", std::string("id,submission\na,Li Wei\n") + line);
    CHECK_THROWS_WITH(grader::read_roster(folder.path / "roster.csv"),
                      Catch::Contains("roster.csv:3: ") && Catch::Contains("used twice"));
  }
}

TEST_CASE("the last attempt counts unless the class says otherwise", "[attempts]") {
  const auto found = named({"ada_attempt_10.zip", "ada_attempt_9.zip", "ada_attempt_1.zip"});
  const ClassWork last = sort_by_student(found, roster({"ada"}), Attempt::kLast);
  CHECK(counted(last) == "ada:ada_attempt_10.zip ");
  REQUIRE(last.students[0].others.size() == 2);
  CHECK(last.students[0].others[0].at(0).path == "ada_attempt_9.zip");  // the next if it is damaged
  CHECK(counted(sort_by_student(found, roster({"ada"}), Attempt::kFirst)) ==
        "ada:ada_attempt_1.zip ");
  const ClassWork best = sort_by_student(found, roster({"ada"}), Attempt::kBest);
  CHECK(best.students[0].attempts.size() == 3);
  CHECK(counted(best) == "ada:ada_attempt_1.zip ada_attempt_9.zip ada_attempt_10.zip ");
  CHECK(best.students[0].others.empty());
}

TEST_CASE("one name in several archive formats is one student", "[attempts]") {
  const auto found = named({"ada", "ada.tar.gz", "ada.zip", "bob"});
  CHECK(counted(sort_by_student(found, {}, Attempt::kLast)) ==
        "ada:ada ada.tar.gz ada.zip bob:bob ");
}

TEST_CASE("a file that is not a hand-in belongs to the student that it names", "[attempts]") {
  grader::Found found = named({"ada.zip"});
  found.others = {{"ada_77_report", "a PDF"}, {"adam", "of adam"}, {"kim", "a link"}};
  const ClassWork work = sort_by_student(found, roster({"ada", "kim"}), Attempt::kLast);
  CHECK(work.students[0].not_judged == std::vector<std::string>{"a PDF"});
  CHECK(work.students[1].not_judged == std::vector<std::string>{"a link"});
  CHECK(work.not_judged == std::vector<std::string>{"of adam"});
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

TEST_CASE("a class list in which marks could go to another student is refused", "[attempts]") {
  const support::TemporaryFolder folder;
  const std::string header = "id,name,email,moodle-id,canvas-id,sis-id,login,section\n";
  const std::string good =
      header + "a1,Ada,a@x.org,11,101,u1,l1,A\nb2,Ben,b@x.org,12,102,u2,l2,A\n";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"c3,Cy,A@X.org,13,103,u3,l3,A\n", ":4: email A@X.org is also a1's"},
      {"c3,Cy,c@x.org,12,103,u3,l3,A\n", ":4: moodle-id 12 is also b2's"},
      {"c3,Cy,c@x.org,13,101,u3,l3,A\n", ":4: canvas-id 101 is also a1's"},
      {"c3,Cy,c@x.org,13,103,u2,l3,A\n", ":4: sis-id u2 is also b2's"},
      {"c3,Cy,c@x.org,13,103,u3,l1,A\n", ":4: login l1 is also a1's"},
      {"s4,Doe, John,d@x.org,14,104,u4,l4,A\n",
       ":4: this line has more fields than the header: \"A\""},
      {"s4,Doe,d@x.org,14\n", ":4: the header has 8 columns, this line 4"},
      {"s4,\"Doe\nLine\",d@x.org,14,104,u4,l4,B\n",
       ":4: a quoted field continues on the next line"},
      {"s4,\"Doe,d@x.org,14,104,u4,l4,B\ns5,Eve,e@x.org,15,105,u5,l5,B\n",
       ":4: a quote is not closed"}};
  const auto refusal = [&](const std::string& text) -> std::string {
    folder.write("roster.csv", text);
    try {
      grader::read_roster(folder.path / "roster.csv");
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  REQUIRE(refusal(good).empty());
  // Spreadsheets write trailing separators up to the widest row, and rows of separators only.
  CHECK(refusal("id,name\na1,Ada,,\n,,,\nb2,Ben\n").empty());
  for (const auto& [line, says] : mistakes) {
    INFO(line);
    CHECK_THAT(refusal(good + line), Catch::Contains("roster.csv" + says));
  }
  CHECK_THAT(refusal("id,email,email\na1,a@x.org,\n"),
             Catch::Contains(":1: the column email is a duplicate"));
  CHECK_THAT(refusal("id,E-Mail\na1,a@x.org\n"),
             Catch::Contains("the column \"e-mail\" is called email here"));
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
  // A file system takes 255 bytes, and endings are added.
  std::string umlauts;
  for (int i = 0; i < 127; ++i) umlauts += "ü";
  for (const std::string& longest : {std::string(255, 'n'), umlauts}) {
    const std::string name = grader::student_file_name(longest);
    CHECK(name.size() < 220);
    CHECK(base::is_utf8(name));
    CHECK(name != grader::student_file_name(longest + "n"));
  }
}

TEST_CASE("what the grader itself could not judge is empty in the gradebook", "[attempts]") {
  grader::Topic topic;
  grader::Results results;
  for (const auto& [id, status] : {std::pair{"90.a", grader::Status::kPassed},
                                   {"90.b", grader::Status::kError},
                                   {"90.c", grader::Status::kFailed}}) {
    grader::Exercise exercise;
    exercise.id = id;
    exercise.points = 2;
    results.verdicts.push_back(verdict_for(exercise, status, ""));
    topic.exercises.push_back(std::move(exercise));
  }
  grader::Gradebook book({{"ada", "Ada"}}, {topic});
  book.enter("ada", results);
  CHECK(book.csv() == "id,name,points,max_points,90.a,90.b,90.c\nada,Ada,2,4,2,,0\n");
}
