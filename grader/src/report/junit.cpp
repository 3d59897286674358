// SPDX-License-Identifier: MIT
// Results as JUnit XML and as CSV.
#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "base/csv.hpp"
#include "grader/report/report.hpp"

namespace grader {
namespace {

std::string number(double value) {
  return fmt::format("{:g}", value);
}

/// XML 1.0 cannot represent most control characters.
std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t' ? c : '?';
  }
  return result;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

bool is_failure(Status status) {
  return is_counted(status) && status != Status::kPassed && status != Status::kError;
}

void add_case(pugi::xml_node suite, const Verdict& v) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", v.topic);
  set(test, "name", v.id);
  set(test, "time", fmt::format("{:.3f}", v.seconds));
  pugi::xml_node properties = test.append_child("properties");
  const auto property = [&](const char* name, const std::string& value) {
    pugi::xml_node node = properties.append_child("property");
    set(node, "name", name);
    set(node, "value", value);
  };
  property("points", number(v.points));
  property("max_points", number(v.max_points));
  property("kind", std::string(name_of(v.kind)));
  property("status", std::string(name_of(v.status)));
  if (!is_counted(v.status)) {
    set(test.append_child("skipped"), "message", v.message);
  } else if (v.status != Status::kPassed) {
    pugi::xml_node node = test.append_child(v.status == Status::kError ? "error" : "failure");
    set(node, "type", std::string(name_of(v.status)));
    set(node, "message", v.message);
    node.append_child(pugi::node_pcdata)
        .set_value(xml_text(v.detail + "\nRead: " + v.read).c_str());
  }
  if (!v.output.empty()) {
    test.append_child("system-out")
        .append_child(pugi::node_pcdata)
        .set_value(xml_text(v.output).c_str());
  }
}

void add_suite(pugi::xml_node root, const std::string& topic,
               const std::vector<const Verdict*>& verdicts, const std::string& time) {
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  double seconds = 0;
  for (const Verdict* v : verdicts) {
    failures += is_failure(v->status) ? 1 : 0;
    errors += v->status == Status::kError ? 1 : 0;
    skipped += is_counted(v->status) ? 0 : 1;
    seconds += v->seconds;
  }
  pugi::xml_node suite = root.append_child("testsuite");
  set(suite, "name", topic);
  set(suite, "tests", std::to_string(verdicts.size()));
  set(suite, "failures", std::to_string(failures));
  set(suite, "errors", std::to_string(errors));
  set(suite, "skipped", std::to_string(skipped));
  set(suite, "time", fmt::format("{:.3f}", seconds));
  set(suite, "timestamp", time);
  for (const Verdict* v : verdicts) add_case(suite, *v);
}

}  // namespace

std::string junit_xml(const Results& results) {
  std::map<std::string, std::vector<const Verdict*>> topics;
  for (const Verdict& v : results.verdicts) topics[v.topic].push_back(&v);
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", results.student.empty() ? "grade" : results.student);
  for (const auto& [topic, verdicts] : topics) add_suite(root, topic, verdicts, results.time);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

std::string csv_field(const std::string& text) {
  // A leading sign would make a spreadsheet evaluate the cell.
  std::string safe = text;
  if (!safe.empty() && std::string("=+-@").find(safe[0]) != std::string::npos) safe = "'" + safe;
  return base::csv_field(safe);
}

std::string csv_number(double value) {
  return number(value);
}

std::string results_csv(const Results& results) {
  std::string out = "student,exercise,title,kind,status,points,max_points,seconds,message\n";
  for (const Verdict& v : results.verdicts) {
    out += csv_field(results.student) + "," + csv_field(v.id) + "," + csv_field(v.title) + "," +
           std::string(name_of(v.kind)) + "," + std::string(name_of(v.status)) + "," +
           number(v.points) + "," + number(v.max_points) + "," + fmt::format("{:.3f}", v.seconds) +
           "," + csv_field(v.message) + "\n";
  }
  return out;
}

}  // namespace grader
