// SPDX-License-Identifier: MIT
// Stores values by their inputs, in memory and in files.
#include "grader/judge/reference_answers.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "grader/batch/content.hpp"
#include "grader/judge/session.hpp"
#include "grader/program/build_tree.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Values = std::map<std::string, ReferenceAnswer>;

constexpr double kSecondsOfRequest = 600;

Limits limits_of_answers() {
  Limits limits;
  limits.wall_seconds = kSecondsOfRequest;
  limits.cpu_seconds = 0;
  return limits;
}

/// A question as one line, with all digits of its numbers.
std::string name_of(const AnswerQuestion& question) {
  std::string name = question.id;
  for (const auto& [parameter, value] : question.parameters) {
    char text[40];
    std::snprintf(text, sizeof text, "=%.17g", value);
    name += " " + parameter + text;
  }
  return name;
}

/// The values in a file under `key`; nothing if the file is missing or has another key.
Values read_values(const fs::path& file, const std::string& key) {
  Values values;
  const Json json = Json::parse(base::read_file_if_any(file), nullptr, false);
  if (json.is_discarded()) return values;
  try {
    if (json.at("key") != key) return values;
    for (const auto& [name, value] : json.at("values").items()) {
      values[name] = {value.at("value"), value.at("unit"), value.at("word")};
    }
  } catch (const nlohmann::json::exception&) {
    values.clear();
  }
  return values;
}

std::string values_json(const Values& values, const std::string& key) {
  Json list = Json::object();
  for (const auto& [name, a] : values) {
    list[name] = {{"value", a.value}, {"unit", a.unit}, {"word", a.word}};
  }
  return Json{{"key", key}, {"values", list}}.dump(1) + "\n";
}

}  // namespace

/// Values computed from the same files.
struct ReferenceAnswers::Known {
  std::string key;  ///< hash of the program and of the data that it reads
  fs::path file;    ///< file for canonical values; empty if they are not stored
  Values canonical;
  Values others;
  bool has_new = false;

  /// Merges with what another run may have saved in the meantime.
  void save() const {
    fs::create_directories(file.parent_path());
    const auto lock = base::FileLock::wait(file.string() + ".lock");
    Values all = read_values(file, key);
    all.insert(canonical.begin(), canonical.end());
    base::write_file_atomically(file, values_json(all, key));
  }
};

ReferenceAnswers::ReferenceAnswers(const fs::path& build, fs::path kept)
    : build_(fs::absolute(build)), kept_(std::move(kept)) {}

ReferenceAnswers::~ReferenceAnswers() {
  for (const auto& [name, known] : known_) {
    try {
      if (known->has_new && !known->file.empty()) known->save();
    } catch (const std::exception&) {
      // The values are computed again next time.
    }
  }
}

ReferenceAnswers::Known& ReferenceAnswers::known_for(const AnswerQuestion& question) {
  const fs::path& machine = question.machine_file;
  std::unique_ptr<Known>& known = known_[question.topic + " " + machine.string()];
  if (known) return *known;
  known = std::make_unique<Known>();
  // For programs outside a build tree it is unknown whose data they read.
  if (kept_.empty() || !fs::exists(build_ / "CMakeCache.txt")) return *known;
  const fs::path source = source_of_build(build_);
  std::vector<fs::path> files = {build_ / "bin" / "solutions" / question.topic / "answers",
                                 source / "data", source / "topics" / question.topic / "profiles"};
  if (!machine.empty()) files.push_back(machine);
  known->key = hash_of_files(files);
  known->file = kept_ / (question.topic + (machine.empty() ? "" : "-machine") + ".json");
  known->canonical = read_values(known->file, known->key);
  return *known;
}

Program& ReferenceAnswers::program_of(const std::string& topic) {
  std::unique_ptr<Program>& program = programs_[topic];
  if (!program) {
    program = std::make_unique<Program>(build_ / "bin" / "solutions" / topic / "answers",
                                        limits_of_answers(), Owner::kCourse);
    ++started_;
  }
  return *program;
}

ReferenceAnswer ReferenceAnswers::value(const AnswerQuestion& question) {
  const std::lock_guard guard(mutex_);
  Known& known = known_for(question);
  const std::string name = name_of(question);
  for (const Values* values : {&known.canonical, &known.others}) {
    if (const auto found = values->find(name); found != values->end()) return found->second;
  }
  ReferenceAnswer answer =
      program_of(question.topic).answer(question.id, question.parameters, question.machine_file);
  // JSON cannot represent values that are not finite.
  const bool is_kept = question.is_canonical && std::isfinite(answer.value);
  (is_kept ? known.canonical : known.others)[name] = answer;
  known.has_new = known.has_new || is_kept;
  return answer;
}

}  // namespace grader
