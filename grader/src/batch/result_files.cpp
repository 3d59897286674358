// SPDX-License-Identifier: MIT
// Reads results of earlier runs, and describes what changed.
#include "grader/batch/result_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files.hpp"
#include "base/utf8.hpp"
#include "grader/batch/content.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// "3", "3 of 4" if the maximum matters, "not counted".
std::string points_of(const Verdict& verdict, bool with_maximum) {
  if (!is_counted(verdict.status)) return "not counted";
  return with_maximum ? fmt::format("{:g} of {:g}", verdict.points, verdict.max_points)
                      : fmt::format("{:g}", verdict.points);
}

/// "02.saxpy.kernel 0 -> 3" if the points, the maximum or whether it counts changed.
std::string changed_exercise(const Verdict& before, const Verdict& after) {
  const bool with_maximum = before.max_points != after.max_points;
  const std::string was = points_of(before, with_maximum);
  const std::string is = points_of(after, with_maximum);
  return was == is ? "" : after.id + " " + was + " -> " + is;
}

/// What changed, exercise by exercise.
std::vector<std::string> changed_exercises(const Results& before, const Results& after) {
  std::map<std::string, const Verdict*> earlier;
  for (const Verdict& verdict : before.verdicts) earlier[verdict.id] = &verdict;
  std::vector<std::string> changes;
  for (const Verdict& verdict : after.verdicts) {
    const auto was = earlier.find(verdict.id);
    if (was == earlier.end()) {
      changes.push_back(verdict.id + " is new: " + points_of(verdict, true));
      continue;
    }
    std::string change = changed_exercise(*was->second, verdict);
    if (!change.empty()) changes.push_back(std::move(change));
    earlier.erase(was);
  }
  for (const auto& [id, verdict] : earlier) {
    changes.push_back(id + " is gone: it had " + points_of(*verdict, true));
  }
  return changes;
}

std::string change(const Results& before, const Results& after) {
  const std::vector<std::string> what = changed_exercises(before, after);
  if (what.empty()) return "";
  return fmt::format("{}: {:g} -> {:g} points ({})", after.student, before.points(), after.points(),
                     fmt::join(what, ", "));
}

constexpr const char* kAttemptsFormat = "roofline-labs/attempts";
constexpr int kAttemptsVersion = 1;

fs::path attempts_file(const fs::path& out, const std::string& student) {
  return out / "attempts" / (student_file_name(student) + ".json");
}

std::string attempts_json(const std::vector<Results>& attempts) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Results& results : attempts) list.push_back(Json::parse(results_json(results)));
  const Json json = {
      {"format", kAttemptsFormat}, {"version", kAttemptsVersion}, {"attempts", std::move(list)}};
  return json.dump(1) + "\n";
}

bool is_open(const Results& results) {
  return std::any_of(results.verdicts.begin(), results.verdicts.end(), [](const Verdict& v) {
    return v.status == Status::kInconclusive || v.status == Status::kError;
  });
}

/// Every result of a batch, by student.
std::map<std::string, Results> all_results(const fs::path& out) {
  const fs::path folder = out / "results";
  if (!fs::is_directory(folder)) {
    throw std::runtime_error(out.string() +
                             " has no folder results: name the --out folder of a batch");
  }
  std::map<std::string, Results> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    try {
      Results results = parse_results(base::read_file(entry.path()));
      all[results.student] = std::move(results);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(entry.path().string() + ": " + error.what());
    }
  }
  return all;
}

}  // namespace

std::string student_file_name(const std::string& student) {
  std::string name = base::utf8_or_escaped(student);
  for (char& c : name) {
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  if (name == "." || name == ".." || name.empty()) name = "_";
  constexpr std::size_t kLongest = 50;  // characters of up to four bytes: file systems allow 255
  name = base::first_characters(name, kLongest);
  // Two ids may map to the same name; a few letters of a hash keep them apart.
  return name == student ? name : name + "-" + sha256(student).substr(0, 8);
}

std::vector<Results> read_attempts(const fs::path& out, const std::string& student) {
  const fs::path file = attempts_file(out, student);
  std::vector<Results> attempts;
  if (!fs::exists(file)) return attempts;
  try {
    const nlohmann::json json = nlohmann::json::parse(base::read_file(file));
    if (json.at("format") != kAttemptsFormat || json.at("version") != kAttemptsVersion) {
      throw std::runtime_error("attempts of another version of the grader");
    }
    for (const nlohmann::json& one : json.at("attempts")) {
      attempts.push_back(parse_results(one.dump()));
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
  return attempts;
}

ResultFiles::ResultFiles(fs::path out) : out_(std::move(out)) {
  for (const char* folder : {"results", "reports", "attempts"})
    fs::create_directories(out_ / folder);
}

fs::path ResultFiles::result_file(const std::string& student) const {
  return out_ / "results" / (student_file_name(student) + ".json");
}

fs::path ResultFiles::page_file(const std::string& student) const {
  return out_ / "reports" / (student_file_name(student) + ".html");
}

std::vector<std::string> ResultFiles::students_besides(const std::set<std::string>& known) const {
  std::set<fs::path> read_already;
  for (const std::string& student : known) read_already.insert(result_file(student));
  std::vector<std::string> ids;
  for (const auto& entry : fs::directory_iterator(out_ / "results")) {
    if (entry.path().extension() != ".json" || !entry.is_regular_file()) continue;
    if (read_already.contains(entry.path())) continue;
    try {
      ids.push_back(parse_results(base::read_file_if_any(entry.path())).student);
    } catch (const std::runtime_error&) {
      continue;  // earlier() finds nothing in it either
    }
  }
  return ids;
}

std::optional<Results> ResultFiles::earlier(const std::string& student) const {
  const fs::path file = result_file(student);
  if (!fs::exists(file)) return std::nullopt;
  try {
    return parse_results(base::read_file_if_any(file));
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

std::vector<Results> ResultFiles::earlier_attempts(const std::string& student) const {
  try {
    return read_attempts(out_, student);
  } catch (const std::runtime_error&) {
    return {};
  }
}

void ResultFiles::require_readable(const std::string& student) const {
  const fs::path file = result_file(student);
  if (!fs::is_regular_file(file)) return;
  try {
    parse_results(base::read_file(file));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
  read_attempts(out_, student);
}

bool ResultFiles::is_done(const std::string& student, const std::string& key) const {
  const std::optional<Results> before = earlier(student);
  if (!before || !before->complete || before->key != key || is_open(*before)) return false;
  // After a crash of the machine the page may be empty.
  std::error_code none;
  if (const auto size = fs::file_size(page_file(student), none); none || size == 0) return false;
  const std::vector<Results> attempts = earlier_attempts(student);
  return std::none_of(attempts.begin(), attempts.end(), is_open);
}

bool ResultFiles::holds(const Results& results) const {
  const std::optional<Results> before = earlier(results.student);
  if (!before) return false;
  Results same = results;
  same.time = before->time;
  return results_json(same) == results_json(*before);
}

void ResultFiles::back_up() const {
  if (fs::is_empty(out_ / "results")) return;
  const fs::path fresh = out_ / "before.new";
  fs::remove_all(fresh);
  fs::create_directories(fresh);
  for (const char* folder : {"results", "attempts"}) {
    fs::copy(out_ / folder, fresh / folder, fs::copy_options::recursive);
  }
  fs::remove_all(out_ / "before");
  fs::rename(fresh, out_ / "before");
}

void ResultFiles::refresh_page(const std::string& student, const PageFacts& facts) const {
  const std::optional<Results> results = earlier(student);
  if (!results) return;
  const std::string page = results_html(*results, facts);
  if (base::read_file_if_any(page_file(student)) == page) return;
  base::write_file_quickly(page_file(student), page);
}

std::string ResultFiles::write(const Judged& judged, const PageFacts& facts) const {
  const Results& results = judged.results;
  const std::optional<Results> before = earlier(results.student);
  const fs::path attempts = attempts_file(out_, results.student);
  // The result is written last, so that a reader who finds it also finds the rest.
  if (judged.attempts.empty()) {
    fs::remove(attempts);
  } else {
    base::write_file_atomically(attempts, attempts_json(judged.attempts));
  }
  base::write_file_quickly(page_file(results.student), results_html(results, facts));
  base::write_file_atomically(result_file(results.student), results_json(results));
  return before ? change(*before, results) : "";
}

std::vector<std::string> differences(const fs::path& before, const fs::path& after) {
  const std::map<std::string, Results> earlier = all_results(before);
  const std::map<std::string, Results> later = all_results(after);
  std::vector<std::string> lines;
  for (const auto& [student, now] : later) {
    const auto was = earlier.find(student);
    if (was == earlier.end()) {
      lines.push_back(fmt::format("{}: new, {:g} points", student, now.points()));
    } else if (const std::string line = change(was->second, now); !line.empty()) {
      lines.push_back(line);
    }
  }
  for (const auto& [student, was] : earlier) {
    if (!later.contains(student)) lines.push_back(student + ": no longer has a result");
  }
  return lines;
}

}  // namespace grader
