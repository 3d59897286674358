// SPDX-License-Identifier: MIT
// Reads TOML and reports every mistake with its line.
#include "term/policy.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string_view>

#include "percent.hpp"
#include "toml_time.hpp"

namespace term {
namespace {

namespace fs = std::filesystem;
using grader::Exercise;
using grader::Topic;

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// A table of the file, read key by key.
class Table {
 public:
  Table(const toml::table& table, fs::path file, std::string name)
      : table_(table), file_(std::move(file)), name_(std::move(name)) {}

  [[noreturn]] void refuse(const std::string& text) const { refuse(table_, text); }

  /// Refuses every other key: a misspelt rule must not be ignored.
  void allow(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, node] : table_) {
      if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
      refuse(node, fmt::format("{} has no key {}; it may have {}", name_, key.str(),
                               fmt::join(keys, ", ")));
    }
  }

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) const {
    const auto value = needed(key).value_exact<std::string>();
    if (!value || is_blank(*value)) refuse(needed(key), fmt::format("{} must be a string", key));
    return *value;
  }

  double number(std::string_view key, double least, double most) const {
    const auto value = needed(key).value<double>();
    if (!value || !(*value >= least && *value <= most)) {
      refuse(needed(key), fmt::format("{} must be a number from {:g} to {:g}", key, least, most));
    }
    return *value;
  }

  int whole(std::string_view key) const {
    constexpr int kMost = 1000;
    const auto value = needed(key).value_exact<std::int64_t>();
    if (!value || *value < 0 || *value > kMost) {
      refuse(needed(key), fmt::format("{} must be a whole number from 0 to {}", key, kMost));
    }
    return static_cast<int>(*value);
  }

  Time time(std::string_view key) const {
    const auto value = needed(key).value_exact<toml::date_time>();
    const auto time = value ? time_of(*value) : std::nullopt;
    if (!time) {
      refuse(needed(key),
             fmt::format("{} must be a date and time with its offset from UTC, without quotes: "
                         "2026-10-20T23:59:00+02:00",
                         key));
    }
    return *time;
  }

  /// The UTC offset of a time().
  std::chrono::minutes offset(std::string_view key) const {
    const auto value = needed(key).value_exact<toml::date_time>();
    return std::chrono::minutes(value && value->offset ? value->offset->minutes : 0);
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> result;
    if (const toml::array* array = needed(key).as_array()) {
      for (const toml::node& item : *array) {
        const auto text = item.value_exact<std::string>();
        if (text && !is_blank(*text)) result.push_back(*text);
      }
      if (!result.empty() && result.size() == array->size()) return result;
    }
    refuse(needed(key), fmt::format("{} must be a list of strings, none of them empty", key));
  }

  /// The tables of [[key]]; empty if there are none.
  std::vector<Table> tables(const std::string& key) const {
    std::vector<Table> result;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return result;
    const std::string name = name_.starts_with("[[") ? name_.substr(2, name_.size() - 4) + "." : "";
    if (const toml::array* array = node->as_array()) {
      for (const toml::node& item : *array) {
        if (item.as_table() == nullptr) refuse(item, fmt::format("write [[{}{}]]", name, key));
        result.emplace_back(*item.as_table(), file_, fmt::format("[[{}{}]]", name, key));
      }
      return result;
    }
    refuse(*node, fmt::format("write [[{}{}]], in two brackets", name, key));
  }

  /// A path relative to the file's folder; it must exist if the results must.
  fs::path path(std::string_view key, Stored stored) const {
    const fs::path path = file_.parent_path() / text(key);
    if (stored == Stored::kNeeded && !fs::exists(path))
      refuse(needed(key), "there is no " + path.string());
    return path;
  }

 private:
  const toml::node& needed(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) refuse(fmt::format("{} needs the key {}", name_, key));
    return *node;
  }

  [[noreturn]] void refuse(const toml::node& node, const std::string& text) const {
    throw std::runtime_error(
        fmt::format("{}:{}: {}", file_.string(), node.source().begin.line, text));
  }

  const toml::table& table_;
  fs::path file_;
  std::string name_;
};

Counting counting(const Table& table) {
  const std::string word = table.text("count");
  if (word == "best") return Counting::kBest;
  if (word == "last") return Counting::kLast;
  if (word == "first") return Counting::kFirst;
  table.refuse("count must be \"best\", \"last\" or \"first\"");
}

Collection collection(const Table& table, Stored stored) {
  table.allow({"results", "handed-in", "times"});
  Collection result;
  result.results = table.path("results", stored);
  if (stored == Stored::kNeeded && !fs::is_directory(result.results / "results")) {
    table.refuse(result.results.string() +
                 " has no folder results: it must be what 'grader batch' "
                 "wrote (--out)");
  }
  if (table.has("handed-in")) result.handed_in = table.time("handed-in");
  if (table.has("times")) result.times = table.path("times", stored);
  if (!result.handed_in && result.times.empty()) {
    table.refuse("say when it was handed in: handed-in (everybody) or times (a list)");
  }
  return result;
}

Assignment assignment(const Table& table, const std::vector<Topic>& topics, Stored stored) {
  table.allow({"name", "exercises", "deadline", "weight", "submission"});
  Assignment result;
  result.name = table.text("name");
  for (std::string prefix : table.texts("exercises")) {
    if (prefix.ends_with('.')) prefix.pop_back();
    const std::size_t before = result.exercises.size();
    for (const Topic& topic : topics) {
      for (const Exercise& exercise : topic.exercises) {
        if (grader::is_chosen(exercise, {prefix})) result.exercises.push_back(exercise.id);
      }
    }
    if (result.exercises.size() == before) {
      table.refuse("no exercise is called \"" + prefix + "\", nor begins with it and a dot");
    }
  }
  std::set<std::string> seen;
  for (const std::string& id : result.exercises) {
    if (!seen.insert(id).second)
      table.refuse("exercise " + id + " is in \"" + result.name + "\" twice");
  }
  result.deadline = table.time("deadline");
  result.offset = table.offset("deadline");
  constexpr double kMost = 1e6;
  if (table.has("weight")) result.weight = table.number("weight", 0, kMost);
  for (const Table& submission : table.tables("submission")) {
    result.submissions.push_back(collection(submission, stored));
  }
  return result;
}

const Exercise* find_exercise(const std::vector<Topic>& topics, const std::string& id) {
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      if (exercise.id == id) return &exercise;
    }
  }
  return nullptr;
}

template <class Rule>
Rule decision(const Table& table) {
  Rule rule;
  rule.student = table.text("student");
  rule.reason = table.text("reason");
  rule.by = table.text("by");
  return rule;
}

/// The assignment that a rule is about.
std::string named(const Table& table, const Policy& policy) {
  const std::string name = table.text("assignment");
  std::vector<std::string> all;
  for (const Assignment& assignment : policy.assignments) {
    if (assignment.name == name) return name;
    all.push_back("\"" + assignment.name + "\"");
  }
  table.refuse(
      fmt::format("there is no assignment \"{}\"; there are {}", name, fmt::join(all, ", ")));
}

Time deadline_of(const Policy& policy, const std::string& name) {
  const auto found = std::find_if(policy.assignments.begin(), policy.assignments.end(),
                                  [&](const Assignment& one) { return one.name == name; });
  return found->deadline;  // named() has checked that it exists
}

bool is_in_an_assignment(const Policy& policy, const std::string& exercise) {
  return std::any_of(policy.assignments.begin(), policy.assignments.end(),
                     [&](const Assignment& assignment) {
                       const auto& ids = assignment.exercises;
                       return std::find(ids.begin(), ids.end(), exercise) != ids.end();
                     });
}

/// If two decisions are about the same thing, one would have no effect.
template <class Rule>
void refuse_second(const Table& table, const std::vector<Rule>& earlier, const Rule& rule,
                   std::string Rule::*about) {
  for (const Rule& other : earlier) {
    if (other.student != rule.student || other.*about != rule.*about) continue;
    table.refuse(fmt::format("{} has one for {} already ({}, by {}); keep one of them",
                             rule.student, rule.*about, other.reason, other.by));
  }
}

void read_decisions(const Table& table, const std::vector<Topic>& topics, Policy& policy) {
  for (const Table& item : table.tables("extension")) {
    item.allow({"student", "assignment", "days", "until", "reason", "by"});
    auto extension = decision<Extension>(item);
    extension.assignment = named(item, policy);
    if (item.has("days") == item.has("until")) item.refuse("give either days or until");
    if (item.has("days")) extension.days = item.whole("days");
    if (item.has("until")) extension.until = item.time("until");
    const bool is_longer = extension.until
                               ? *extension.until > deadline_of(policy, extension.assignment)
                               : *extension.days > 0;
    if (!is_longer) item.refuse("it ends no later than the deadline; give a later one, or drop it");
    refuse_second(item, policy.extensions, extension, &Extension::assignment);
    policy.extensions.push_back(extension);
  }
  for (const Table& item : table.tables("excuse")) {
    item.allow({"student", "assignment", "reason", "by"});
    auto excuse = decision<Excuse>(item);
    excuse.assignment = named(item, policy);
    refuse_second(item, policy.excuses, excuse, &Excuse::assignment);
    policy.excuses.push_back(excuse);
  }
  for (const Table& item : table.tables("override")) {
    item.allow({"student", "exercise", "points", "reason", "by"});
    auto override = decision<Override>(item);
    override.exercise = item.text("exercise");
    const Exercise* exercise = find_exercise(topics, override.exercise);
    if (exercise == nullptr) item.refuse("there is no exercise " + override.exercise);
    if (!is_in_an_assignment(policy, override.exercise)) {
      item.refuse("exercise " + override.exercise + " is in no assignment");
    }
    override.points = item.number("points", 0, exercise->points);
    refuse_second(item, policy.overrides, override, &Override::exercise);
    policy.overrides.push_back(override);
  }
}

}  // namespace

Policy read_policy(const fs::path& file, const std::vector<Topic>& topics, Stored stored) {
  toml::table parsed;
  try {
    parsed = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw std::runtime_error(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
  const Table table(parsed, file, "a policy");
  table.allow({"course", "count", "late-days", "late-penalty", "late-limit", "drop-lowest",
               "timed-nodes", "assignment", "extension", "excuse", "override"});
  Policy policy;
  policy.course = table.text("course");
  if (table.has("count")) policy.count = counting(table);
  if (table.has("late-days")) policy.late_days = table.whole("late-days");
  if (table.has("late-penalty")) policy.late_penalty = table.number("late-penalty", 0, 1);
  if (table.has("late-limit")) policy.late_limit = table.whole("late-limit");
  if (table.has("drop-lowest")) policy.drop_lowest = table.whole("drop-lowest");
  if (table.has("timed-nodes")) policy.timed_nodes = table.texts("timed-nodes");
  for (const Table& item : table.tables("assignment")) {
    Assignment next = assignment(item, topics, stored);
    for (const Assignment& earlier : policy.assignments) {
      if (earlier.name == next.name) item.refuse("a second assignment \"" + next.name + "\"");
      if (earlier.deadline > next.deadline) {
        item.refuse("\"" + next.name + "\" is due before \"" + earlier.name +
                    "\": list assignments in the order of their deadlines, in which free late days "
                    "are used");
      }
    }
    policy.assignments.push_back(std::move(next));
  }
  if (policy.assignments.empty()) table.refuse("there is no [[assignment]]");
  const std::size_t count = policy.assignments.size();
  if (static_cast<std::size_t>(policy.drop_lowest) >= count) {
    table.refuse(fmt::format("drop-lowest = {} leaves nothing of {} assignment{}; it must be less",
                             policy.drop_lowest, count, count == 1 ? "" : "s"));
  }
  read_decisions(table, topics, policy);
  return policy;
}

std::vector<std::string> in_words(const Policy& policy) {
  std::vector<std::string> lines;
  const char* counts = policy.count == Counting::kBest   ? "the best"
                       : policy.count == Counting::kLast ? "the last"
                                                         : "the first";
  lines.push_back(fmt::format("Of several submissions of an assignment {} counts.", counts));
  std::string late =
      policy.late_days > 0
          ? fmt::format(
                "Everybody has {} free late day{} over the whole course, used in the order "
                "of the deadlines. Each further day that has begun",
                policy.late_days, policy.late_days == 1 ? "" : "s")
          : std::string("Each late day that has begun");
  late += fmt::format(" costs {:g} % of the points.", kPercent * policy.late_penalty);
  if (policy.late_limit) {
    late += fmt::format(" What is more than {} days late does not count.", *policy.late_limit);
  }
  lines.push_back(late);
  if (policy.drop_lowest > 0) {
    lines.push_back(fmt::format(
        "The {} with the lowest share of points {} left out.",
        policy.drop_lowest == 1 ? "assignment" : fmt::format("{} assignments", policy.drop_lowest),
        policy.drop_lowest == 1 ? "is" : "are"));
  }
  double weights = 0;
  for (const Assignment& assignment : policy.assignments) weights += assignment.weight;
  for (const Assignment& assignment : policy.assignments) {
    lines.push_back(fmt::format("{}: due {}, {:.3g} % of the total.", assignment.name,
                                written(assignment.deadline, assignment.offset),
                                weights > 0 ? kPercent * assignment.weight / weights : 0));
  }
  return lines;
}

}  // namespace term
