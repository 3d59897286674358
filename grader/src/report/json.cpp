// SPDX-License-Identifier: MIT
// Results as JSON, and back.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files.hpp"
#include "grader/report/report.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json to_json(const Verdict& v) {
  Json metrics = Json::object();
  for (const auto& [name, value] : v.metrics) {
    metrics[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
  }
  return {{"id", v.id},
          {"title", v.title},
          {"topic", v.topic},
          {"kind", name_of(v.kind)},
          {"status", name_of(v.status)},
          {"points", v.points},
          {"max_points", v.max_points},
          {"message", v.message},
          {"detail", v.detail},
          {"read", v.read},
          {"output", v.output},
          {"metrics", metrics},
          {"seed", v.seed},
          {"seconds", v.seconds}};
}

template <class T>
T named(const std::string& name, std::span<const T> all) {
  for (const T value : all) {
    if (name_of(value) == name) return value;
  }
  throw std::runtime_error("results JSON with an unknown word: " + name);
}

Status status_of(const std::string& name) {
  constexpr Status kAll[] = {Status::kPassed,   Status::kPartial,      Status::kFailed,
                             Status::kUnsolved, Status::kMissing,      Status::kCrashed,
                             Status::kTimedOut, Status::kInconclusive, Status::kSkipped,
                             Status::kShown,    Status::kError};
  return named<Status>(name, kAll);
}

Kind kind_of(const std::string& name) {
  return named<Kind>(name, all_kinds());
}

Verdict verdict_from(const Json& json) {
  Verdict v;
  v.id = json.at("id");
  v.title = json.at("title");
  v.topic = json.at("topic");
  v.kind = kind_of(json.at("kind"));
  v.status = status_of(json.at("status"));
  v.points = json.at("points");
  v.max_points = json.at("max_points");
  v.message = json.at("message");
  v.detail = json.at("detail");
  v.read = json.at("read");
  v.output = json.at("output");
  for (const auto& [name, value] : json.at("metrics").items()) {
    v.metrics.emplace_back(name, value.is_null() ? std::nan("") : value.get<double>());
  }
  v.seed = json.at("seed");
  v.seconds = json.at("seconds");
  return v;
}

}  // namespace

double Results::points() const {
  double sum = 0;
  for (const Verdict& verdict : verdicts) sum += is_counted(verdict.status) ? verdict.points : 0;
  return without_rounding_errors(sum);
}

double Results::max_points() const {
  double sum = 0;
  for (const Verdict& v : verdicts) sum += is_counted(v.status) ? v.max_points : 0;
  return without_rounding_errors(sum);
}

std::string results_json(const Results& results) {
  Json verdicts = Json::array();
  for (const Verdict& verdict : results.verdicts) verdicts.push_back(to_json(verdict));
  Json json = {{"format", "roofline-labs/results"},
               {"version", kVersion},
               {"student", results.student},
               {"backend", results.backend},
               {"machine", results.machine},
               {"time", results.time},
               {"complete", results.complete},
               {"points", results.points()},
               {"max_points", results.max_points()},
               {"key", results.key},
               {"attempt", results.attempt},
               {"notes", results.notes},
               {"exercises", verdicts}};
  if (!results.unread.empty()) json["unread"] = results.unread;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Results parse_results(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != "roofline-labs/results" || json.at("version") != kVersion) {
      throw std::runtime_error("not results of this version of the grader");
    }
    Results results;
    results.student = json.at("student");
    results.backend = json.at("backend");
    results.machine = json.at("machine");
    results.time = json.at("time");
    results.complete = json.at("complete");
    results.key = json.at("key");
    results.attempt = json.value("attempt", "");
    results.notes = json.at("notes").get<std::vector<std::string>>();
    if (json.contains("unread")) {
      results.unread = json.at("unread").get<std::vector<std::string>>();
    }
    for (const Json& item : json.at("exercises")) results.verdicts.push_back(verdict_from(item));
    return results;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("not a results file: ") + error.what());
  }
}

Results read_results(const std::filesystem::path& folder, const std::filesystem::path& since) {
  Results joined;
  if (!std::filesystem::exists(folder)) return joined;
  const auto oldest = since.empty() ? std::filesystem::file_time_type::min()
                                    : std::filesystem::last_write_time(since);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json" || entry.last_write_time() < oldest) continue;
    Results one = parse_results(base::read_file(entry.path()));
    joined.backend = one.backend;
    joined.time = std::max(joined.time, one.time);
    std::move(one.verdicts.begin(), one.verdicts.end(), std::back_inserter(joined.verdicts));
  }
  std::sort(joined.verdicts.begin(), joined.verdicts.end(),
            [](const Verdict& a, const Verdict& b) { return a.id < b.id; });
  return joined;
}

}  // namespace grader
