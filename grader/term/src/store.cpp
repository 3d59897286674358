// SPDX-License-Identifier: MIT
// Standings as JSON and back.
#include "term/store.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace term {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr const char* kFormat = "roofline-labs/term";

Json to_json(const AssignmentScore& score) {
  Json exercises = Json::array();
  for (const ExercisePoints& exercise : score.exercises) {
    exercises.push_back(
        {exercise.id, exercise.points, exercise.max_points, exercise.counted, exercise.why});
  }
  return {{"name", score.name},           {"weight", score.weight},
          {"collected", score.collected}, {"excused", score.excused},
          {"dropped", score.dropped},     {"submission", score.submission},
          {"days_late", score.days_late}, {"free_days", score.free_days},
          {"penalty", score.penalty},     {"notes", score.notes},
          {"exercises", exercises}};
}

AssignmentScore assignment_from(const Json& json) {
  AssignmentScore score;
  score.name = json.at("name");
  score.weight = json.at("weight");
  score.collected = json.at("collected");
  score.excused = json.at("excused");
  score.dropped = json.at("dropped");
  score.submission = json.at("submission");
  score.days_late = json.at("days_late");
  score.free_days = json.at("free_days");
  score.penalty = json.at("penalty");
  score.notes = json.at("notes").get<std::vector<std::string>>();
  for (const Json& item : json.at("exercises")) {
    score.exercises.push_back(
        {item.at(0), item.at(1), item.at(2), item.at(3), item.at(4), true, ""});
  }
  return score;
}

}  // namespace

std::string stored(const std::vector<Standing>& standings) {
  Json students = Json::array();
  for (const Standing& standing : standings) {
    Json assignments = Json::array();
    for (const AssignmentScore& score : standing.assignments) {
      assignments.push_back(to_json(score));
    }
    students.push_back({{"id", standing.student.id},
                        {"name", standing.student.name},
                        {"assignments", assignments}});
  }
  const Json json = {{"format", kFormat}, {"version", kVersion}, {"students", students}};
  return json.dump(0, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<Standing> parse_stored(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kFormat || json.at("version") != kVersion) {
      throw std::runtime_error("it is of another version of the grader");
    }
    std::vector<Standing> standings;
    for (const Json& item : json.at("students")) {
      Standing standing;
      standing.student.id = item.at("id");
      standing.student.name = item.at("name");
      for (const Json& score : item.at("assignments")) {
        standing.assignments.push_back(assignment_from(score));
      }
      standings.push_back(std::move(standing));
    }
    return standings;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace term
