// SPDX-License-Identifier: MIT
// Every report format compared with a file in golden/. To accept an intended change, run the test
// with UPDATE_GOLDEN=1 in the environment and check the difference.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <stdexcept>
#include <string>

#include "grader/report/report.hpp"
#include "support/catch.hpp"

namespace {

grader::Verdict verdict(const std::string& id, const std::string& title, grader::Kind kind,
                        grader::Status status, double points, double most) {
  grader::Verdict v;
  v.id = id;
  v.title = title;
  v.topic = "02-peaks";
  v.kind = kind;
  v.status = status;
  v.points = points;
  v.max_points = most;
  v.message = "a sentence with <angle> & \"quotes\"";
  v.read = "topics/02-peaks/README.md#saxpy";
  v.seconds = 0.25;
  return v;
}

grader::Results results() {
  using grader::Kind;
  using grader::Status;
  grader::Results r;
  r.student = "ada";
  r.backend = "cpu";
  r.machine = "A machine";
  r.time = "2026-01-31T12:00:00Z";
  r.verdicts = {
      verdict("02.saxpy.ai", "Intensity", Kind::kNumber, Status::kPassed, 1, 1),
      verdict("02.saxpy.bound", "=Bound, \"memory\"", Kind::kChoice, Status::kUnsolved, 0, 1),
      verdict("02.saxpy.kernel", "Kernel", Kind::kKernel, Status::kFailed, 0, 3),
      verdict("02.saxpy.speed", "Speed", Kind::kSpeed, Status::kPartial, 1.5, 3),
      verdict("02.saxpy.bandwidth", "Bandwidth", Kind::kMeasurement, Status::kInconclusive, 0, 2),
      verdict("02.saxpy.crash", "Crash", Kind::kKernel, Status::kCrashed, 0, 1),
      only_shown(verdict("02.sum.speed", "Speed", Kind::kSpeed, Status::kFailed, 1, 3))};
  r.verdicts[2].detail = "       index   is   should be\n           1    2           3\n";
  r.verdicts[2].seed = 42;
  r.verdicts[3].metrics = {
      {"ratio_to_reference", 0.6}, {"flops_per_second", 3e9}, {"flops_per_byte", 1.0 / 6}};
  r.verdicts[5].output = "printed ]]> text\n";
  return r;
}

grader::PageFacts facts() {
  grader::PageFacts facts{"Ada <Lovelace>", "Performance & more"};
  facts.roofs = roofline::Chart{"A machine", {{"FP32 vector", 1e11}}, {{"DRAM", 2e10}}, {}};
  facts.tasks["02.saxpy.ai"] = "How many FLOP/B has SAXPY?";
  return facts;
}

void compare_with_golden(const std::string& name, const std::string& content) {
  const std::string path = std::string(RL_GOLDEN) + "/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << content;
  std::ifstream in(path, std::ios::binary);
  const std::string golden(std::istreambuf_iterator<char>(in), {});
  INFO(path);
  CHECK(content == golden);
}

}  // namespace

TEST_CASE("terminal, CSV and HTML are as they were", "[golden]") {
  std::string verdicts;
  for (const grader::Verdict& v : results().verdicts) {
    verdicts += grader::terminal_verdict(v, false);
  }
  compare_with_golden("verdicts.txt", verdicts);
  compare_with_golden("table.txt", grader::terminal_table(results(), false));
  compare_with_golden("results.csv", grader::results_csv(results()));
  compare_with_golden("results.html", grader::results_html(results(), facts()));
}

TEST_CASE("the machine-readable formats are as they were", "[golden]") {
  compare_with_golden("results.json", grader::results_json(results()));
  compare_with_golden("junit.xml", grader::junit_xml(results()));
  compare_with_golden("gradescope.json", grader::gradescope_json(results()));
  compare_with_golden("classroom.json", grader::classroom_json(results()));
  compare_with_golden("prairielearn.json", grader::prairielearn_json(results()));
}

TEST_CASE("JUnit is XML whose counts add up", "[golden]") {
  pugi::xml_document document;
  REQUIRE(document.load_string(grader::junit_xml(results()).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  CHECK(suite.attribute("tests").as_int() == 7);
  CHECK(suite.attribute("failures").as_int() == 4);
  CHECK(suite.attribute("skipped").as_int() == 2);
  int failures = 0;
  for (const pugi::xml_node test : suite.children("testcase")) {
    const pugi::xml_node failure = test.child("failure");
    if (!failure) continue;
    ++failures;
    CHECK(std::string(failure.attribute("message").value()).size() > 5);
  }
  CHECK(failures == 4);
}

TEST_CASE("Gradescope's score is the sum, and what is inconclusive is seen without a score",
          "[golden]") {
  const auto json = nlohmann::json::parse(grader::gradescope_json(results()));
  CHECK(json.at("score") == 2.5);
  REQUIRE(json.at("tests").size() == 6);
  double sum = 0;
  double most = 0;
  int undecided = 0;
  for (const auto& test : json.at("tests")) {
    if (test.at("extra_data").at("status") == "inconclusive") {
      ++undecided;
      CHECK_FALSE(test.contains("score"));
      CHECK_FALSE(test.contains("max_score"));
      CHECK_FALSE(test.contains("status"));
      CHECK(test.at("visibility") == "visible");
      CHECK(test.at("output").get<std::string>().starts_with("Inconclusive: "));
      continue;
    }
    CHECK((test.at("status") == "passed" || test.at("status") == "failed"));
    CHECK(test.at("score") <= test.at("max_score"));
    sum += test.at("score").get<double>();
    most += test.at("max_score").get<double>();
  }
  CHECK(undecided == 1);
  CHECK(sum == json.at("score"));
  CHECK(most == json.at("extra_data").at("max_points"));
  CHECK(json.at("output").get<std::string>().starts_with("1 test is inconclusive"));
  CHECK(json.at("leaderboard").size() == 1);
}

TEST_CASE("Classroom's line is base64 of its JSON", "[golden]") {
  const std::string line = grader::classroom_output(results());
  const std::string body = line.substr(7, line.size() - 8);
  CHECK(line.substr(0, 7) == "result=");
  CHECK(body.size() % 4 == 0);
  CHECK(body.substr(0, 8) == "ewogICJ2");  // {\n  "v
}

TEST_CASE("HTML keeps student text as text and needs no other file", "[golden]") {
  const std::string html = grader::results_html(results(), {});
  CHECK(html.find("<angle>") == std::string::npos);
  CHECK(html.find("&lt;angle&gt;") != std::string::npos);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("http") == std::string::npos);
  CHECK(html.find("DRAM") == std::string::npos);
}

namespace {

bool has_type(const nlohmann::json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "null") return value.is_null();
  throw std::logic_error("the schema has an unknown type: " + type);
}

bool has_any_type(const nlohmann::json& value, const nlohmann::json& types) {
  if (types.is_string()) return has_type(value, types);
  return std::any_of(types.begin(), types.end(),
                     [&](const nlohmann::json& type) { return has_type(value, type); });
}

/// The place where a value violates a schema, for the keywords that ours uses; empty if it is
/// valid.
/// @throws std::logic_error for an unknown keyword.
std::string broken_at(const nlohmann::json& value, const nlohmann::json& schema,
                      const std::string& place) {
  const nlohmann::json properties = schema.value("properties", nlohmann::json::object());
  for (const auto& [keyword, rule] : schema.items()) {
    if (keyword == "type") {
      if (!has_any_type(value, rule)) return place + ": type";
    } else if (keyword == "const") {
      if (value != rule) return place + ": const";
    } else if (keyword == "enum") {
      if (std::find(rule.begin(), rule.end(), value) == rule.end()) return place + ": enum";
    } else if (keyword == "minimum") {
      if (value < rule) return place + ": minimum";
    } else if (keyword == "required") {
      for (const auto& key : rule) {
        if (!value.contains(key.get<std::string>())) return place + ": required " + key.dump();
      }
    } else if (keyword == "properties") {
      for (const auto& [key, sub] : rule.items()) {
        if (!value.contains(key)) continue;
        std::string broken = broken_at(value.at(key), sub, place + "/" + key);
        if (!broken.empty()) return broken;
      }
    } else if (keyword == "additionalProperties") {
      for (const auto& [key, item] : value.items()) {
        if (properties.contains(key)) continue;
        if (rule == false) return place + "/" + key + ": not described";
        std::string broken = broken_at(item, rule, place + "/" + key);
        if (!broken.empty()) return broken;
      }
    } else if (keyword == "items") {
      for (std::size_t i = 0; i < value.size(); ++i) {
        std::string broken = broken_at(value[i], rule, place + "/" + std::to_string(i));
        if (!broken.empty()) return broken;
      }
    } else if (keyword != "$schema" && keyword != "title" && keyword != "description") {
      throw std::logic_error("the schema has an unknown keyword: " + keyword);
    }
  }
  return {};
}

nlohmann::json results_schema() {
  std::ifstream in(RL_SCHEMA);
  return nlohmann::json::parse(in);
}

}  // namespace

TEST_CASE("the JSON that is written obeys its schema, and broken JSON does not", "[golden]") {
  const nlohmann::json schema = results_schema();
  const auto json = nlohmann::json::parse(grader::results_json(results()));
  CHECK(broken_at(json, schema, "").empty());
  const auto with = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json changed = json;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    return broken_at(changed, schema, "");
  };
  CHECK(with("/version", 2) == "/version: const");
  CHECK(with("/points", "three") == "/points: type");
  CHECK(with("/exercises/0/status", "fine") == "/exercises/0/status: enum");
  CHECK(with("/exercises/1/seconds", -1) == "/exercises/1/seconds: minimum");
  CHECK(with("/exercises/3/metrics/seconds", "fast") == "/exercises/3/metrics/seconds: type");
  CHECK(with("/extra", 1) == "/extra: not described");
  nlohmann::json without = json;
  without["exercises"][0].erase("id");
  CHECK(broken_at(without, schema, "") == "/exercises/0: required \"id\"");
}

TEST_CASE("the schema knows every kind of exercise", "[golden]") {
  const nlohmann::json schema = results_schema();
  const nlohmann::json::json_pointer place("/properties/exercises/items/properties/kind/enum");
  nlohmann::json kinds;
  for (const grader::Kind kind : grader::all_kinds()) kinds.push_back(name_of(kind));
  CHECK(schema.at(place).dump() == kinds.dump());
}

TEST_CASE("the JSON schema names every key that is written, and no other", "[golden]") {
  const nlohmann::json schema = results_schema();
  grader::Results complete = results();
  complete.unread = {"work.zip: it is damaged"};
  const auto json = nlohmann::json::parse(grader::results_json(complete));
  const auto same_keys = [](const nlohmann::json& object, const nlohmann::json& described,
                            std::size_t optional) {
    CHECK(object.size() == described.at("properties").size());
    for (const auto& [key, value] : object.items()) {
      INFO(key);
      CHECK(described.at("properties").contains(key));
    }
    CHECK(described.at("required").size() == object.size() - optional);
  };
  same_keys(json, schema, 1);  // "unread" is optional: it is written only if there is something
  same_keys(json.at("exercises").at(0), schema.at("properties").at("exercises").at("items"), 0);
}

TEST_CASE("CSV fields are quoted, and no spreadsheet evaluates them", "[golden]") {
  CHECK(grader::csv_field("a,b") == "\"a,b\"");
  CHECK(grader::csv_field("=1+1") == "'=1+1");
}
