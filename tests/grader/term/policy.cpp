// SPDX-License-Identifier: MIT
#include "term/policy.hpp"

#include "small_course.hpp"
#include "support/catch.hpp"

using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

constexpr const char* kGood = R"(course = "Performance"
[[assignment]]
name = "One"
exercises = ["01."]
deadline = 2026-10-20T12:00:00Z
)";

std::string refusal(const std::string& text) {
  const support::TemporaryFolder folder;
  folder.write("batch/results/ada.json", "");
  folder.write("policy.toml", text);
  try {
    term::read_policy(folder.path / "policy.toml", small::topics());
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    CHECK_THAT(message, Contains((folder.path / "policy.toml").string() + ":"));
    return message.substr(message.find("policy.toml"));
  }
  return "";
}

std::string extension(const std::string& length) {
  return "[[extension]]\nstudent = \"ada\"\nassignment = \"One\"\n" + length +
         "\nreason = \"ill\"\nby = \"Li\"\n";
}

constexpr const char* kExcuse =
    "[[excuse]]\nstudent = \"ada\"\nassignment = \"One\"\nreason = \"ill\"\nby = \"Li\"\n";

std::string override(const std::string& exercise, const std::string& reason) {
  return "[[override]]\nstudent = \"ada\"\nexercise = \"" + exercise +
         "\"\npoints = 1\nreason = \"" + reason + "\"\nby = \"Li\"\n";
}

}  // namespace

TEST_CASE("a policy is read, and says itself in words", "[term]") {
  const support::TemporaryFolder folder;
  folder.write("batch/results/ada.json", "");
  folder.write("policy.toml", R"(course = "Performance"
count = "last"
late-days = 2
late-penalty = 0.25
late-limit = 5
drop-lowest = 1
timed-nodes = ["--exclusive", "--constraint=h200"]
[[assignment]]
name = "One"
exercises = ["01."]
deadline = 2026-10-20T23:59:00+02:00
weight = 3
[[assignment.submission]]
results = "batch"
handed-in = 2026-10-20T12:00:00Z
[[assignment]]
name = "Two"
exercises = ["02.b", "02.a"]
deadline = 2026-11-20T23:59:00+01:00
[[override]]
student = "ada"
exercise = "01.b"
points = 2.5
reason = "shown in person"
by = "Prof. Li"
)");
  const term::Policy policy = term::read_policy(folder.path / "policy.toml", small::topics());
  CHECK(policy.count == term::Counting::kLast);
  CHECK(policy.late_days == 2);
  CHECK(policy.timed_nodes == std::vector<std::string>{"--exclusive", "--constraint=h200"});
  REQUIRE(policy.assignments.size() == 2);
  CHECK(policy.assignments[0].exercises == std::vector<std::string>{"01.a", "01.b"});
  CHECK(policy.assignments[1].exercises == std::vector<std::string>{"02.b", "02.a"});
  CHECK(policy.assignments[0].submissions.at(0).results == folder.path / "batch");
  CHECK(policy.overrides.at(0).points == 2.5);
  const std::vector<std::string> words = term::in_words(policy);
  CHECK(words.at(0) == "Of several submissions of an assignment the last counts.");
  CHECK(words.at(1) ==
        "Everybody has 2 free late days over the whole course, used in the order of the deadlines. "
        "Each further day that has begun costs 25 % of the points. What is more than 5 days late "
        "does not count.");
  CHECK(words.at(3) == "One: due 2026-10-20 23:59:00 +02:00, 75 % of the total.");
}

TEST_CASE("mistakes in a policy are refused with their line", "[term]") {
  const std::string good = kGood;
  REQUIRE(refusal(good).empty());
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"late-day = 2\n" + good, "policy.toml:1: a policy has no key late-day; it may have course"},
      {"late-days = -1\n" + good, "policy.toml:1: late-days must be a whole number from 0 to 1000"},
      {"late-penalty = 10\n" + good, "policy.toml:1: late-penalty must be a number from 0 to 1"},
      {"count = \"newest\"\n" + good, "count must be \"best\", \"last\" or \"first\""},
      {"course = 7\n", "policy.toml:1: course must be a string"},
      {"course = \"x\"\n", "there is no [[assignment]]"},
      {"course = \"x\"\n[assignment]\nname = \"One\"\n", "policy.toml:2: write [[assignment]]"},
      {good + "weight = \"much\"\n", "policy.toml:6: weight must be a number"},
      {good + "[[assignment.submission]]\nresults = \"batch\"\n",
       "policy.toml:6: say when it was handed in"},
      {good + "[[assignment.submission]]\nresults = \"nowhere\"\n", "policy.toml:7: there is no "},
      {good + good.substr(good.find("[[")), "a second assignment \"One\""},
      {good + "[[assignment]]\nname = \"Two\"\nexercises = [\"02.\"]\n"
              "deadline = 2026-10-19T12:00:00Z\n",
       "\"Two\" is due before \"One\""},
      {good + "[[override]]\nstudent = \"ada\"\nexercise = \"01.b\"\npoints = 4\nreason = \"r\"\n"
              "by = \"b\"\n",
       "policy.toml:9: points must be a number from 0 to 3"},
      {good + "[[override]]\nstudent = \"ada\"\nexercise = \"01.z\"\npoints = 1\nreason = \"r\"\n"
              "by = \"b\"\n",
       "there is no exercise 01.z"},
      {good + "[[override]]\nstudent = \"ada\"\nexercise = \"01.b\"\npoints = 1\nby = \"b\"\n",
       "[[override]] needs the key reason"},
      {good +
           "[[extension]]\nstudent = \"ada\"\nassignment = \"One\"\nreason = \"r\"\nby = \"b\"\n",
       "give either days or until"},
      {good + "[[excuse]]\nstudent = \"ada\"\nassignment = \"Three\"\nreason = \"r\"\nby = \"b\"\n",
       "there is no assignment \"Three\"; there are \"One\""},
      {"course = \"x\n", "policy.toml:1: "},
      {"drop-lowest = 1\n" + good,
       "drop-lowest = 1 leaves nothing of 1 assignment; it must be less"},
      {good + extension("until = 2026-10-20T11:59:59Z"), "policy.toml:6: it ends no later than"},
      {good + extension("days = 0"), "policy.toml:6: it ends no later than the deadline"},
      {good + extension("days = 1") + extension("days = 2"),
       "policy.toml:12: ada has one for One already (ill, by Li); keep one of them"},
      {good + kExcuse + kExcuse, "policy.toml:11: ada has one for One already"},
      {good + override("01.b", "seen") + override("01.b", "seen"),
       "policy.toml:12: ada has one for 01.b already (seen, by Li)"},
      {good + override("01.b", " "), "policy.toml:10: reason must be a string"},
      {good + override("02.a", "seen"), "policy.toml:6: exercise 02.a is in no assignment"},
      {"timed-nodes = [\"\"]\n" + good,
       "timed-nodes must be a list of strings, none of them empty"}};
  for (const auto& [text, says] : mistakes) {
    INFO(text);
    CHECK_THAT(refusal(text), Contains(says));
  }
  std::string local = good;
  local.replace(local.find("12:00:00Z"), 9, "12:00:00");
  CHECK_THAT(refusal(local),
             Contains("policy.toml:5: deadline must be a date and time with its offset"));
  std::string everything = good;
  everything.replace(everything.find("01."), 3, "");
  CHECK_THAT(refusal(everything),
             Contains("policy.toml:4: exercises must be a list of strings, none of them empty"));
  std::string unknown = good;
  unknown.replace(unknown.find("01."), 3, "07.");
  CHECK_THAT(refusal(unknown), Contains("no exercise is called \"07\", nor begins with it"));
}

TEST_CASE("an exercise's id does not stand for longer ids that begin with it", "[term]") {
  const support::TemporaryFolder folder;
  std::string text = kGood;
  text.replace(text.find("01."), 3, "01.a");
  folder.write("policy.toml", text);
  const std::vector<grader::Topic> topics = {
      {"01-one",
       "",
       {small::exercise("01.a", 1), small::exercise("01.a_dram", 1),
        small::exercise("01.a.b", 1)}}};
  CHECK(term::read_policy(folder.path / "policy.toml", topics).assignments[0].exercises ==
        std::vector<std::string>{"01.a", "01.a.b"});
}

TEST_CASE("a policy can be read before there are results", "[term]") {
  const support::TemporaryFolder folder;
  folder.write("policy.toml", std::string(kGood) +
                                  "[[assignment.submission]]\nresults = \"not-yet\"\n"
                                  "times = \"not-yet.csv\"\n");
  const fs::path file = folder.path / "policy.toml";
  CHECK_THROWS_WITH(term::read_policy(file, small::topics()), Contains("there is no"));
  CHECK(term::read_policy(file, small::topics(), term::Stored::kNotYet).assignments.size() == 1);
}
