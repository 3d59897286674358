// SPDX-License-Identifier: MIT
// What of a hand-in is graded, and how long that may take.
#include "grader/batch/submission.hpp"

#include "support/catch.hpp"

using grader::Collected;
using grader::Topic;

namespace {

/// A topic with an exercise for each list of files; the last file of each is its program's source.
Topic topic(const std::string& name, double seconds,
            const std::vector<std::vector<std::string>>& files) {
  Topic result;
  result.name = name;
  result.budget_seconds = seconds;
  for (const std::vector<std::string>& list : files) {
    grader::Exercise exercise;
    exercise.topic = name;
    exercise.files = list;
    if (list.back().ends_with(".cu")) exercise.program = list.back();
    result.exercises.push_back(exercise);
  }
  return result;
}

const std::vector<Topic> kTopics = {
    topic("01-one", 60, {{"answers.toml"}, {"code/sum.cu"}, {"sum.json", "code/sum.cu"}}),
    topic("02-two", 7, {{"code/sum.cu"}, {"code/dot.cu"}}),
    topic("03-three", 500, {{"answers.toml"}}),
};

Collected collected(const std::vector<std::string>& files) {
  Collected result;
  for (const std::string& file : files) result.files[file] = "// " + file;
  return result;
}

std::vector<std::string> names_of(const Collected& all) {
  std::vector<std::string> names;
  for (const auto& [name, content] : all.files) names.push_back(name);
  return names;
}

double seconds_for(const std::vector<std::string>& files) {
  return budget_for(handed_in_programs(collected(files), kTopics), kTopics);
}

}  // namespace

TEST_CASE("files that no exercise asks for that is graded are dropped", "[submission]") {
  const std::vector<std::string> all = {"01-one/answers.toml", "01-one/code/sum.cu",
                                        "01-one/sum.json", "02-two/code/sum.cu"};
  Collected hand_in = collected(all);
  hand_in.notes = {"a note"};
  keep_asked_for(hand_in, kTopics);
  CHECK(names_of(hand_in) == all);
  // Of the same name in another topic, it is another file.
  keep_asked_for(hand_in, {kTopics[1], kTopics[2]});
  CHECK(names_of(hand_in) == std::vector<std::string>{"02-two/code/sum.cu"});
  CHECK(hand_in.files.at("02-two/code/sum.cu") == "// 02-two/code/sum.cu");
  CHECK(hand_in.notes == std::vector<std::string>{"a note"});
  keep_asked_for(hand_in, {});
  CHECK(hand_in.files.empty());
}

TEST_CASE("a submission has the time of each topic of which it has a program, once",
          "[submission]") {
  CHECK(seconds_for({"01-one/code/sum.cu"}) == 60);
  CHECK(seconds_for({"02-two/code/sum.cu", "02-two/code/dot.cu"}) == 7);
  CHECK(seconds_for({"01-one/code/sum.cu", "02-two/code/dot.cu", "03-three/answers.toml"}) == 67);
  // Answers alone start nothing.
  CHECK(seconds_for({"01-one/answers.toml", "03-three/answers.toml"}) == 0);
  CHECK(seconds_for({}) == 0);
}
