// SPDX-License-Identifier: MIT
// Scores worked out by hand.
#include "term/score.hpp"

#include "base/files.hpp"
#include "small_course.hpp"
#include "support/catch.hpp"
#include "term/changes.hpp"
#include "term/dashboard.hpp"
#include "term/statistics.hpp"
#include "term/student_page.hpp"
#include "term/tables.hpp"

using Catch::Matchers::Contains;
using grader::Status;
namespace fs = std::filesystem;

namespace {

/// A term of two assignments: One (01., weight 1) due at noon of the 10th, Two (02., weight 3) at
/// noon of the 20th.
class TwoAssignments {
 public:
  /// `rules` go to the beginning of the policy, `decisions` to the end.
  term::Term score(const std::string& rules = "", const std::string& decisions = "") const {
    folder.write("policy.toml", "course = \"x\"\n" + rules + one + two + decisions);
    const term::Policy policy = term::read_policy(folder.path / "policy.toml", small::topics());
    return term::score(policy, small::topics(), roster);
  }
  term::Standing of_ada(const std::string& rules = "", const std::string& decisions = "") const {
    return score(rules, decisions).standings.at(0);
  }

  support::TemporaryFolder folder;
  std::vector<grader::Student> roster = {{"ada", "Ada L."}};
  std::string one =
      "[[assignment]]\nname = \"One\"\nexercises = [\"01.\"]\ndeadline = 2026-10-10T12:00:00Z\n";
  std::string two =
      "[[assignment]]\nname = \"Two\"\nexercises = [\"02.\"]\ndeadline = 2026-10-20T12:00:00Z\n"
      "weight = 3\n";
};

std::string submission(const std::string& batch, const std::string& handed_in) {
  return "[[assignment.submission]]\nresults = \"" + batch + "\"\nhanded-in = " + handed_in + "\n";
}

constexpr const char* kInTimeOne = "2026-10-10T12:00:00Z";
constexpr const char* kInTimeTwo = "2026-10-20T11:00:00Z";

}  // namespace

TEST_CASE("points, weights and what is not collected yet", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {2}}});
  course.one += submission("a", kInTimeOne);
  const term::Standing early = course.of_ada();
  CHECK(early.assignments.at(0).share() == 0.75);
  CHECK_FALSE(early.assignments.at(1).counts());
  CHECK(early.total() == 0.75);
  // Two: 2 of 4, with three times the weight: (0.75 + 3 x 0.5) / 4.
  small::store(course.folder, "b", "ada", {{"02.a", {2}}, {"02.b", {0}}});
  course.two += submission("b", kInTimeTwo);
  CHECK(course.of_ada().total() == 0.5625);
}

TEST_CASE("late days: a begun day is a day, free ones are used in the deadlines' order", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {3}}});
  small::store(course.folder, "b", "ada", {{"02.a", {2}}, {"02.b", {2}}});
  const std::string rules = "late-days = 3\nlate-penalty = 0.1\nlate-limit = 6\n";
  const auto late = [&](const std::string& first, const std::string& second) {
    TwoAssignments copy;
    small::store(copy.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {3}}});
    small::store(copy.folder, "b", "ada", {{"02.a", {2}}, {"02.b", {2}}});
    copy.one += submission("a", first);
    copy.two += submission("b", second);
    return copy.of_ada(rules);
  };
  // One second late counts as one day, so two of the three free days are left. Of the five late
  // days of Two, three cost 10 % each.
  const term::Standing some = late("2026-10-10T12:00:01Z", "2026-10-25T12:00:00Z");
  CHECK(some.assignments[0].days_late == 1);
  CHECK(some.assignments[0].share() == 1);
  CHECK(some.assignments[1].days_late == 5);
  CHECK(some.assignments[1].free_days == 2);
  CHECK(some.assignments[1].share() == Approx(0.7));
  CHECK(some.late_days_left == 0);
  // Work beyond the limit does not count, and uses no free days.
  const term::Standing beyond = late("2026-10-16T12:00:01Z", kInTimeTwo);
  CHECK(beyond.assignments[0].days_late == 7);
  CHECK(beyond.assignments[0].share() == 0);
  CHECK(beyond.late_days_left == 3);
}

TEST_CASE("of several submissions the best, the last or the first counts", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "early", "ada", {{"01.a", {1}}, {"01.b", {1}}});   // 50 %
  small::store(course.folder, "better", "ada", {{"01.a", {1}}, {"01.b", {3}}});  // 100 %, late
  small::store(course.folder, "worse", "ada", {{"01.a", {0}}, {"01.b", {1}}});   // 25 %, later
  // Listed out of order: the times decide.
  course.one += submission("worse", "2026-10-13T12:00:00Z") + submission("early", kInTimeOne) +
                submission("better", "2026-10-12T12:00:00Z");
  CHECK(course.of_ada("late-penalty = 0.1\n").assignments[0].share() == Approx(0.8));
  CHECK(course.of_ada("late-penalty = 0.3\n").assignments[0].share() == Approx(0.5));
  CHECK(course.of_ada("late-penalty = 0.1\ncount = \"last\"\n").assignments[0].share() ==
        Approx(0.25 * 0.7));
  CHECK(course.of_ada("late-penalty = 0.1\ncount = \"first\"\n").assignments[0].share() == 0.5);
  // The last attempt within the limit.
  CHECK(course.of_ada("late-penalty = 0.1\ncount = \"last\"\nlate-limit = 2\n")
            .assignments[0]
            .share() == Approx(0.8));
}

namespace {

/// Ada's three attempts in one batch: in time with 50 %, two days late with 100 %, and three days
/// late with 25 %.
class ThreeAttempts : public TwoAssignments {
 public:
  explicit ThreeAttempts(const std::string& times = kTimes) {
    const auto attempt = [](const std::string& name, double a, double b) {
      return small::results_of("ada", name, {{"01.a", {a}}, {"01.b", {b}}});
    };
    grader::Judged judged;
    judged.attempts = {attempt("ada_1", 1, 1), attempt("ada_2", 1, 3), attempt("ada_3", 0, 1)};
    judged.results = judged.attempts[1];
    grader::ResultFiles(folder.path / "batch").write(judged, {});
    folder.write("times.csv", "id,attempt,time\n" + times);
    one += "[[assignment.submission]]\nresults = \"batch\"\ntimes = \"times.csv\"\n";
  }
  double share(const std::string& rules) const { return of_ada(rules).assignments[0].share(); }

  static constexpr const char* kTimes =
      "ada,ada_3.zip,2026-10-13T12:00:00Z\nada,ada_1.zip,2026-10-10T11:00:00Z\n"
      "ada,ada_2.zip,2026-10-12T12:00:00Z\n";
};

}  // namespace

TEST_CASE("every attempt of a batch is as late as its own time says", "[term]") {
  const ThreeAttempts course;
  // Two days at 10 % leave 80 % of everything; at 30 % they leave 40 %, less than the 50 % in time.
  CHECK(course.share("late-penalty = 0.1\n") == Approx(0.8));
  CHECK(course.share("late-penalty = 0.3\n") == Approx(0.5));
  CHECK(course.share("late-penalty = 0.1\ncount = \"last\"\n") == Approx(0.25 * 0.7));
  CHECK(course.share("late-penalty = 0.1\ncount = \"first\"\n") == Approx(0.5));
  // With two free days the late attempt counts fully; with a limit of one day it does not count.
  CHECK(course.share("late-days = 2\n") == Approx(1));
  CHECK(course.share("late-penalty = 0.1\nlate-limit = 1\n") == Approx(0.5));
  const term::AssignmentScore late = course.of_ada("late-penalty = 0.1\n").assignments[0];
  CHECK(late.days_late == 2);
  CHECK_THAT(late.submission, Catch::Matchers::EndsWith("batch, ada_2"));
  CHECK(late.notes ==
        std::vector<std::string>{"of 3 attempts ada_2 counts, handed in 2026-10-12 12:00:00 UTC"});
  CHECK(course.score().problems.empty());
}

TEST_CASE("an attempt without a time of its own is named", "[term]") {
  const std::string first = "ada,ada_1.zip,2026-10-10T11:00:00Z\n";
  const std::string third = "ada,ada_3.zip,2026-10-13T12:00:00Z\n";
  CHECK_THROWS_WITH(ThreeAttempts(first + third).score(),
                    Contains("times.csv: no time for ada's attempt ada_2, whose work is in"));
  // One time for all of them is used, and reported as needing attention.
  const term::Term one_time =
      ThreeAttempts("ada,,2026-10-11T12:00:00Z\n").score("late-penalty = 0.1\n");
  CHECK(one_time.standings[0].assignments[0].share() == Approx(0.9));
  REQUIRE(one_time.problems.size() == 1);
  CHECK_THAT(one_time.problems[0], Contains("one time for all attempts") && Contains(": ada"));
  // A misspelt name.
  const term::Term misspelt =
      ThreeAttempts(ThreeAttempts::kTimes + std::string("ada,ada_4.zip,2026-10-13T12:00:00Z\n"))
          .score();
  REQUIRE(misspelt.problems.size() == 1);
  CHECK_THAT(misspelt.problems[0],
             Contains("a time for ada_4, which") && Contains("did not judge"));
}

TEST_CASE("extensions, excuses and overrides say who and why", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {0}}});
  course.one += submission("a", "2026-10-12T12:00:00Z");
  const std::string rules = "late-penalty = 0.5\n";
  CHECK(course.of_ada(rules).assignments[0].share() == 0);  // two days: 100 %
  const term::Standing extended = course.of_ada(
      rules,
      "[[extension]]\nstudent = \"ada\"\nassignment = \"One\"\ndays = 1\nreason = \"ill\"\n"
      "by = \"Li\"\n");
  CHECK(extended.assignments[0].share() == Approx(0.125));
  CHECK(extended.assignments[0].notes.at(0) == "due 2026-10-11 12:00:00 UTC (ill, by Li)");
  const term::Standing overridden = course.of_ada(
      "late-penalty = 0\n",
      "[[override]]\nstudent = \"ada\"\nexercise = \"01.b\"\npoints = 1.5\nreason = \"seen\"\n"
      "by = \"Li\"\n");
  CHECK(overridden.assignments[0].share() == Approx(2.5 / 4));
  CHECK(overridden.assignments[0].notes.at(0) == "01.b: 1.5 instead of 0 points (seen, by Li)");
  const term::Standing excused = course.of_ada(
      rules,
      "[[excuse]]\nstudent = \"ada\"\nassignment = \"One\"\nreason = \"ill\"\nby = \"Li\"\n");
  CHECK_FALSE(excused.total());
  CHECK_THROWS_WITH(
      course.of_ada(rules,
                    "[[excuse]]\nstudent = \"eve\"\nassignment = \"One\"\nreason = \"ill\"\n"
                    "by = \"Li\"\n"),
      Contains("excuse for eve, who is not on the roster"));
}

TEST_CASE("what the grader did not decide costs nothing and is listed", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {0, Status::kInconclusive}}});
  small::store(course.folder, "a", "eve", {{"01.a", {1}}, {"01.b", {3}}});
  course.one += submission("a", kInTimeOne);
  small::store(course.folder, "b", "ada", {{"02.a", {2}}});
  course.two += submission("b", kInTimeTwo);
  const term::Term term = course.score();
  CHECK(term.standings[0].assignments[0].share() == 1);
  // An exercise without a verdict earns nothing.
  CHECK(term.standings[0].assignments[1].share() == 0.5);
  REQUIRE(term.problems.size() == 3);
  CHECK_THAT(term.problems[0], Contains("eve.json matches nobody on the roster"));
  CHECK(term.problems[1] == "01.b is to be judged again: ada");
  CHECK(term.problems[2] == "02.b was judged by no batch: ada");
}

TEST_CASE("who handed in nothing has 0, unless it is decided otherwise", "[term]") {
  TwoAssignments course;
  course.folder.write("a/results/readme.txt", "");
  course.one += submission("a", kInTimeOne);
  small::store(course.folder, "b", "ada",
               {{"02.a", {0, Status::kMissing}}, {"02.b", {0, Status::kMissing}}});
  course.two += submission("b", "2027-01-01T00:00:00Z");
  const term::Standing ada = course.of_ada();
  CHECK(ada.total() == 0.0);
  CHECK(ada.assignments[1].submission.empty());
  CHECK(ada.assignments[1].days_late == 0);
  const term::Standing oral = course.of_ada(
      "",
      "[[override]]\nstudent = \"ada\"\nexercise = \"01.b\"\npoints = 3\nreason = \"oral\"\n"
      "by = \"Li\"\n");
  CHECK(oral.assignments[0].share() == 0.75);
}

TEST_CASE("a hand-in that cannot be read is not nothing", "[term]") {
  TwoAssignments course;
  const std::string what = "ada_2.zip cannot be read: the archive is damaged";
  const auto store = [&](const std::string& batch, std::map<std::string, small::Points> verdicts) {
    grader::Results results = small::results_of("ada", "", verdicts);
    results.unread = {what};
    course.folder.write(batch + "/results/ada.json", results_json(results));
  };
  store("a", {{"01.a", {0, Status::kMissing}}, {"01.b", {0, Status::kMissing}}});
  store("b", {{"02.a", {2}}, {"02.b", {2}}});
  course.one += submission("a", kInTimeOne);
  course.two += submission("b", kInTimeTwo);
  const term::Term term = course.score();
  const term::Standing& ada = term.standings[0];
  CHECK(ada.assignments[0].share() == 0);
  CHECK(ada.assignments[0].exercises.at(0).why == what);
  CHECK(ada.assignments[1].share() == 1);  // of what can be read
  for (const term::AssignmentScore& score : ada.assignments) {
    CHECK(score.notes == std::vector<std::string>{what});
  }
  CHECK(term.problems == std::vector<std::string>{what + ": ada"});
  course.folder.write("policy.toml", "course = \"x\"\n" + course.one + course.two);
  const std::string page = term::student_page(
      term::read_policy(course.folder.path / "policy.toml", small::topics()), ada);
  CHECK_THAT(page, Contains(what) && Contains("something that cannot be read"));
  CHECK(page.find("nothing was handed in") == std::string::npos);
}

TEST_CASE("the lowest share is dropped, but never the last one", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {0}}});
  small::store(course.folder, "b", "ada", {{"02.a", {2}}, {"02.b", {1}}});
  course.one += submission("a", kInTimeOne);
  CHECK(course.of_ada("drop-lowest = 1\n").total() == 0.25);
  course.two += submission("b", kInTimeTwo);
  const term::Standing dropped = course.of_ada("drop-lowest = 1\n");
  CHECK(dropped.assignments[0].dropped);
  CHECK(dropped.total() == 0.75);
  CHECK_THROWS_WITH(course.of_ada("drop-lowest = 2\n"),
                    Contains("policy.toml:1: drop-lowest = 2 leaves nothing of 2 assignments"));
}

TEST_CASE("times of somebody who is not in the class are named", "[term]") {
  TwoAssignments course;
  course.roster = {{"ada", ""}, {"ben", ""}};
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {3}}});
  course.folder.write("times.csv",
                      "id,time\nadaa,2026-10-12T12:00:00Z\nben,2026-10-10T11:00:00Z\n");
  course.one += submission("a", kInTimeOne) + "times = \"times.csv\"\n";
  const std::vector<std::string> problems = course.score().problems;
  REQUIRE(problems.size() == 2);
  CHECK_THAT(problems[0], Contains("times.csv has a time, and no batch of One has any work: ben"));
  CHECK_THAT(problems[1],
             Contains("times.csv has times for students who are not on the roster: adaa"));
}

TEST_CASE("times are printed by the clock of the policy, with seconds", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {3}}});
  course.one.replace(course.one.find("2026-10-10T12:00:00Z"), 20, "2026-10-10T23:59:00+02:00");
  course.one += submission("a", "2026-10-10T21:59:01Z");
  course.folder.write("policy.toml", "course = \"x\"\n" + course.one + course.two);
  const term::Policy policy =
      term::read_policy(course.folder.path / "policy.toml", small::topics());
  const term::Standing ada = course.of_ada();
  CHECK(ada.assignments[0].days_late == 1);
  const std::string page = term::student_page(policy, ada);
  CHECK_THAT(page, Contains("2026-10-10 23:59:01 +02:00"));
  CHECK_THAT(page, Contains("One: due 2026-10-10 23:59:00 +02:00"));
  CHECK_THAT(page, Contains("Two: due 2026-10-20 12:00:00 UTC"));
  CHECK_THAT(term::dashboard(policy, course.score(), {}), Contains("2026-10-10 23:59:00 +02:00"));
}

TEST_CASE("a median of an even number is between the two in the middle", "[term]") {
  CHECK(term::median({}) == 0);
  CHECK(term::median({3, 1, 2}) == 2);
  TwoAssignments course;
  course.roster.clear();
  for (const char* id : {"a", "b", "c", "d"}) {
    course.roster.push_back({id, ""});
    const double all = *id < 'c' ? 1 : 0;
    small::store(course.folder, "w", id, {{"01.a", {all}}, {"01.b", {3 * all}}});
  }
  course.one += submission("w", kInTimeOne);
  course.folder.write("policy.toml", "course = \"x\"\n" + course.one);
  const std::string page = term::dashboard(
      term::read_policy(course.folder.path / "policy.toml", small::topics()), course.score(), {});
  CHECK_THAT(page, Contains("median 50.0 %, mean 50.0 %"));
  CHECK_THAT(page, Contains("<span>50.0 %</span>"));  // the assignment's
  CHECK(page.find("100.0 %") == std::string::npos);
}

TEST_CASE("statistics of an exercise", "[term]") {
  TwoAssignments course;
  course.roster = {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}, {"e", ""}};
  const std::string once = "It looks like this: This counts y once.";
  // Points of the four students who handed in: 01.a 1 1 0 0, 01.b 3 2 1 0.
  small::store(course.folder, "w", "a", {{"01.a", {1}}, {"01.b", {3}}});
  small::store(course.folder, "w", "b", {{"01.a", {1}}, {"01.b", {2}}});
  small::store(course.folder, "w", "c", {{"01.a", {0, Status::kFailed, once}}, {"01.b", {1}}});
  small::store(course.folder, "w", "d",
               {{"01.a", {0, Status::kFailed, once}}, {"01.b", {0, Status::kUnsolved}}});
  course.one += submission("w", kInTimeOne);
  course.folder.write("policy.toml", "course = \"x\"\n" + course.one);
  const term::Policy policy =
      term::read_policy(course.folder.path / "policy.toml", small::topics());
  const auto all =
      term::statistics(policy, term::score(policy, small::topics(), course.roster).standings);
  REQUIRE(all.size() == 2);
  CHECK(all[0].students == 4);
  CHECK(all[0].solved == 2);
  CHECK(all[0].untried == 0);
  CHECK(all[0].median_share == 0.5);
  // Deviations 1/2 1/2 -1/2 -1/2 and 3/2 1/2 -1/2 -3/2: 2 / sqrt(1 x 5).
  REQUIRE(all[0].discrimination);
  CHECK(*all[0].discrimination == Approx(2 / std::sqrt(5.0)));
  REQUIRE(all[0].mistakes.size() == 1);
  CHECK(all[0].mistakes[0].students == 2);
  CHECK(all[0].mistakes[0].message == "This counts y once.");
  CHECK(all[1].untried == 1);
  CHECK(all[1].mistakes.empty());
}

TEST_CASE("mistakes that the grader found by itself are counted, and those of one student",
          "[term]") {
  TwoAssignments course;
  const std::string half = "half of it: a fused multiply-add counts as two operations";
  const auto store = [&](const std::string& student, const std::string& detail) {
    course.roster.push_back({student, ""});
    small::store(course.folder, "w", student,
                 {{"01.a", {0, Status::kFailed, detail}}, {"01.b", {3}}});
  };
  course.roster.clear();
  store("a", "It looks like this: " + half + "\nfor n = 7");
  store("b", "for n = 8\nIt looks like this, in the time: " + half);
  store("c", "It looks like this: This counts y once.");
  store("d", "for n = 9");
  course.one += submission("w", kInTimeOne);
  course.folder.write("policy.toml", "course = \"x\"\n" + course.one);
  const term::Policy policy =
      term::read_policy(course.folder.path / "policy.toml", small::topics());
  const term::Term term = term::score(policy, small::topics(), course.roster);
  const auto all = term::statistics(policy, term.standings);
  REQUIRE(all.at(0).mistakes.size() == 2);
  CHECK(all[0].mistakes[0].students == 2);
  CHECK(all[0].mistakes[0].message == half);
  CHECK(all[0].mistakes[1].students == 1);
  CHECK(all[0].mistakes[1].message == "This counts y once.");
  CHECK_THAT(term::dashboard(policy, term, all), Contains("2 of 4: half of it"));
}

TEST_CASE("a book that cannot be compared with is left alone", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {2}}});
  course.folder.write("policy.toml", "course = \"x\"\n" + course.one + submission("a", kInTimeOne));
  course.folder.write("roster.csv", "id\nada\n");
  course.folder.write("book/book.json", "{}");
  const fs::path& place = course.folder.path;
  CHECK_THROWS_WITH(
      term::write_book({place / "policy.toml", place / "roster.csv", "", place / "book"},
                       small::topics()),
      Contains("move it away to begin a new book"));
  CHECK(base::read_file(place / "book/book.json") == "{}");
}

TEST_CASE("a share on paper is a share, whatever the order of its sum", "[term]") {
  // 0.1 + 0.2 + 0.3 is 0.6000000000000001 when added from the left and 0.6 from the right.
  TwoAssignments course;
  const auto share = [&](const std::string& list) {
    course.one = "[[assignment]]\nname = \"One\"\nexercises = " + list +
                 "\ndeadline = 2026-10-10T12:00:00Z\n" + submission("a", kInTimeOne);
    return course.of_ada().assignments.at(0).share();
  };
  small::store(course.folder, "a", "ada", {{"01.a", {0.1}}, {"01.b", {0.2}}, {"02.a", {0.3}}});
  CHECK(share(R"(["01.a", "01.b", "02.a"])") == share(R"(["02.a", "01.b", "01.a"])"));
}

TEST_CASE("of equal shares the earlier submission counts", "[term]") {
  // 2.4 of 4 in time, and 3 of 4 a day late at 20 %: both are 60 %, with a different last bit.
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {0}}, {"01.b", {2.4}}});
  small::store(course.folder, "b", "ada", {{"01.a", {1}}, {"01.b", {2}}});
  course.one += submission("a", kInTimeOne) + submission("b", "2026-10-11T12:00:00Z");
  const term::AssignmentScore score = course.of_ada("late-penalty = 0.2\n").assignments.at(0);
  CHECK(score.days_late == 0);
  CHECK(score.share() == 0.6);
}

TEST_CASE("points that move within an assignment are changes", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada", {{"01.a", {1}}, {"01.b", {0}}});
  course.one += submission("a", kInTimeOne);
  const std::vector<term::Standing> before = course.score().standings;
  small::store(course.folder, "a", "ada", {{"01.a", {0}}, {"01.b", {1}}});
  const auto changes = changes_between(before, course.score().standings);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].before == changes[0].after);
  CHECK(changes[0].reasons ==
        std::vector<std::string>{"01.a 1 -> 0 (judged)", "01.b 0 -> 1 (judged)"});
}

TEST_CASE("statistics count tries and the time of judging", "[term]") {
  TwoAssignments course;
  const auto store = [&](const std::string& batch, double points, Status status, double seconds) {
    grader::Results results =
        small::results_of("ada", "", {{"01.a", {points, status}}, {"01.b", {3}}});
    results.verdicts[0].seconds = seconds;
    course.folder.write(batch + "/results/ada.json", results_json(results));
  };
  store("a", 0, Status::kFailed, 9);
  store("b", 0, Status::kUnsolved, 9);
  store("c", 1, Status::kPassed, 4);
  course.one +=
      submission("a", kInTimeOne) + submission("b", kInTimeOne) + submission("c", kInTimeOne);
  const term::Term term = course.score();
  const term::Policy policy =
      term::read_policy(course.folder.path / "policy.toml", small::topics());
  const auto all = term::statistics(policy, term.standings);
  REQUIRE(all.size() == 2);
  CHECK(all[0].tries == 2);
  CHECK(all[1].tries == 3);
  CHECK(all[0].median_seconds == 4);  // of the submission that counts
  // Who left it untried took no time to judge.
  for (const char* student : {"bob", "cyd"}) {
    course.roster.push_back({student, ""});
    small::store(course.folder, "c", student, {{"01.a", {0, Status::kUnsolved}}, {"01.b", {3}}});
  }
  CHECK(term::statistics(policy, course.score().standings)[0].median_seconds == 4);
  CHECK(statistics_csv(all).find("exercise,assignment,students,solved,untried,tries,") == 0);
}

TEST_CASE("an assignment without any verdict costs nothing", "[term]") {
  TwoAssignments course;
  small::store(course.folder, "a", "ada",
               {{"01.a", {0, Status::kInconclusive}}, {"01.b", {0, Status::kError}}});
  course.one += submission("a", kInTimeOne);
  small::store(course.folder, "b", "ada", {{"02.a", {2}}, {"02.b", {1}}});
  course.two += submission("b", kInTimeTwo);
  const term::Standing ada = course.of_ada("drop-lowest = 1\n");
  CHECK(ada.total() == 0.75);
  CHECK_FALSE(ada.assignments[1].dropped);  // there would be no other to count
  CHECK_THAT(term::book_csv({ada}), Contains("ada,Ada L.,0,0,0,0.00,undecided,3,4,0,75.00,yes"));
  course.roster[0].columns = {{"email", "a@example.org"}};
  CHECK(term::moodle_csv({course.of_ada()})->text ==
        "Email address,One,Two\na@example.org,,75.00\n");
}

// The format that Canvas's importer reads (instructure/canvas-lms, lib/gradebook_importer.rb,
// 2024): the names of the first columns, "Points Possible" in the second line, and EX for excused.
// A student without ID, SIS User ID and SIS Login ID is looked up by name. Some column names are
// Canvas's own totals.
TEST_CASE("a table for Canvas", "[term]") {
  TwoAssignments course;
  course.roster = {{"ada", "Ada \"L\", x", 0, {{"canvas-id", "17"}, {"section", "B"}}},
                   {"ben", "Ben", 0, {{"sis-id", "-4"}, {"login", "+ben"}}},
                   {"cyd", "Cyd", 0, {{"section", "B"}}}};
  for (const char* id : {"ada", "ben", "cyd"}) {
    small::store(course.folder, "a", id, {{"01.a", {1}}, {"01.b", {0}}});
  }
  course.one += submission("a", kInTimeOne);
  const term::Term term = course.score(
      "", "[[excuse]]\nstudent = \"ben\"\nassignment = \"One\"\nreason = \"ill\"\nby = \"Li\"\n");
  const auto table = term::canvas_csv(term.standings);
  REQUIRE(table);
  CHECK(table->text ==
        "Student,ID,SIS User ID,SIS Login ID,Section,One\n    Points Possible,,,,,100\n"
        "\"Ada \"\"L\"\", x\",17,,,B,25.00\nBen,,-4,+ben,,EX\n");
  CHECK(table->problems ==
        std::vector<std::string>{"cyd is not in canvas.csv: the class list has no "
                                 "canvas-id, sis-id or login"});
  course.one.replace(course.one.find("One"), 3, "Final Score 1");
  CHECK_THAT(term::canvas_csv(course.score().standings)->problems.front(),
             Contains("\"Final Score\" in its name: rename \"Final Score 1\""));
  for (grader::Student& student : course.roster) student.columns = {{"section", "B"}};
  CHECK_FALSE(term::canvas_csv(course.score().standings));
}

// The format that Moodle's importer reads (moodle/moodle, grade/import/csv/classes/load_data.php):
// one column identifies the user, and a line in which it is empty changes the grades of the student
// above.
TEST_CASE("a table for Moodle has no line without the field that says who", "[term]") {
  TwoAssignments course;
  course.roster = {{"ada", "", 0, {{"moodle-id", "7"}, {"email", "a@example.org"}}},
                   {"ben", "", 0, {{"email", "+b@example.org"}}},
                   {"cyd", "", 0, {}}};
  for (const char* id : {"ada", "ben", "cyd"}) {
    small::store(course.folder, "a", id, {{"01.a", {1}}, {"01.b", {0}}});
  }
  course.one += submission("a", kInTimeOne);
  const auto some = term::moodle_csv(course.score().standings);
  REQUIRE(some);
  CHECK(some->text == "Email address,One\na@example.org,25.00\n+b@example.org,25.00\n");
  CHECK(some->problems ==
        std::vector<std::string>{"cyd is not in moodle.csv: the class list has no email"});
  course.roster.resize(1);
  const auto both = term::moodle_csv(course.score().standings);
  CHECK(both->text == "ID number,Email address,One\n7,a@example.org,25.00\n");
  CHECK(both->problems.empty());
  course.roster[0].columns.clear();
  CHECK_FALSE(term::moodle_csv(course.score().standings));
}
