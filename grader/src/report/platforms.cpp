// SPDX-License-Identifier: MIT
// Results in the formats of learning platforms: Gradescope, GitHub Classroom, PrairieLearn.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "grader/report/report.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string details(const Verdict& verdict) {
  std::string text = verdict.message;
  if (!verdict.detail.empty()) text += "\n" + verdict.detail;
  if (verdict.status != Status::kPassed) text += "\nRead: " + verdict.read;
  return text;
}

/// "3 points".
std::string points_in_words(double points) {
  std::ostringstream text;
  text << points << (points == 1 ? " point" : " points");
  return text.str();
}

/// An inconclusive exercise: a test without a score, so that it is visible and the sum stays right.
/// Gradescope shows no maximum for such a test, so its name says how many points are open.
Json undecided(const Verdict& v) {
  return {{"name", v.title + " (inconclusive, " + points_in_words(v.max_points) + " open)"},
          {"number", v.id},
          {"output", "Inconclusive: " + points_in_words(v.max_points) +
                         ", not counted until it is graded again.\n" + details(v)},
          {"tags", {v.topic, std::string(name_of(v.kind))}},
          {"visibility", "visible"},
          {"extra_data", {{"status", name_of(v.status)}, {"max_points", v.max_points}}}};
}

/// A sentence about all tests; empty if there is nothing to say.
std::string summary(const Results& results) {
  const auto open =
      std::count_if(results.verdicts.begin(), results.verdicts.end(),
                    [](const Verdict& v) { return v.status == Status::kInconclusive; });
  std::string text = results.complete ? "" : "The grading was interrupted.";
  if (open > 0) {
    text += std::string(text.empty() ? "" : "\n") + std::to_string(open) +
            (open == 1 ? " test is" : " tests are") +
            " inconclusive: not counted, neither for nor against you, until graded again.";
  }
  for (const std::string& note : results.notes) {
    text += std::string(text.empty() ? "" : "\n") + "Handed in: " + note;
  }
  return text;
}

double seconds_of(const Results& results) {
  double sum = 0;
  for (const Verdict& verdict : results.verdicts) sum += verdict.seconds;
  return sum;
}

std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= count ? kDigits[group >> (18 - 6 * i) & 63] : '=';
    }
  }
  return out;
}

}  // namespace

std::string gradescope_json(const Results& results) {
  Json tests = Json::array();
  Json leaderboard = Json::array();
  for (const Verdict& v : results.verdicts) {
    if (v.status == Status::kInconclusive) tests.push_back(undecided(v));
    if (!is_counted(v.status)) continue;
    tests.push_back({{"name", v.title},
                     {"number", v.id},
                     {"score", v.points},
                     {"max_score", v.max_points},
                     {"status", v.status == Status::kPassed ? "passed" : "failed"},
                     {"output", details(v)},
                     {"tags", {v.topic, std::string(name_of(v.kind))}},
                     {"visibility", "visible"},
                     {"extra_data", {{"status", name_of(v.status)}, {"seed", v.seed}}}});
    for (const auto& [name, value] : v.metrics) {
      if (name != "ratio_to_reference") continue;  // of a race
      leaderboard.push_back({{"name", v.id}, {"value", value}, {"order", "desc"}});
    }
  }
  Json json = {{"score", results.points()},
               {"execution_time", seconds_of(results)},
               {"output", summary(results)},
               {"visibility", "visible"},
               {"stdout_visibility", "hidden"},
               {"extra_data", {{"max_points", results.max_points()}, {"time", results.time}}},
               {"tests", tests}};
  if (!leaderboard.empty()) json["leaderboard"] = leaderboard;
  return dump(json);
}

std::string classroom_json(const Results& results) {
  Json tests = Json::array();
  bool failed = !results.complete;
  for (const Verdict& v : results.verdicts) {
    if (!is_counted(v.status)) continue;
    const bool broken = v.status == Status::kError;
    const char* status = v.status == Status::kPassed ? "pass" : broken ? "error" : "fail";
    failed = failed || v.status != Status::kPassed;
    tests.push_back({{"name", v.id},
                     {"status", status},
                     {"message", details(v)},
                     {"line_no", 0},
                     {"execution_time", std::to_string(v.seconds) + "s"},
                     {"score", v.points},
                     {"test_code", v.title}});
  }
  return dump({{"version", 1},
               {"status", failed ? "fail" : "pass"},
               {"max_score", results.max_points()},
               {"tests", tests}});
}

std::string classroom_output(const Results& results) {
  return "result=" + base64(classroom_json(results)) + "\n";
}

std::string prairielearn_json(const Results& results) {
  Json tests = Json::array();
  for (const Verdict& v : results.verdicts) {
    if (!is_counted(v.status)) continue;
    tests.push_back({{"name", v.id},
                     {"description", v.title},
                     {"points", v.points},
                     {"max_points", v.max_points},
                     {"message", v.message},
                     {"output", v.detail}});
  }
  const double most = results.max_points();
  return dump({{"gradable", true},
               {"score", most > 0 ? results.points() / most : 0.0},
               {"message", results.complete ? "" : "The grading was interrupted."},
               {"output", ""},
               {"tests", tests}});
}

}  // namespace grader
