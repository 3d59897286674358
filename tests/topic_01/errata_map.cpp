// SPDX-License-Identifier: MIT
// data/errata/map.csv: each of the 132 published errors is met in the course, or is left out for a
// reason. What the map names exists.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "answers_claims.hpp"
#include "base/csv.hpp"
#include "base/files.hpp"
#include "grader/exercise/exercise.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kProject = fs::path(RL_DATA).parent_path();

/// The published errors by text: how many each of the five has.
const std::map<std::string, int> kErrors = {
    {"D0", 9}, {"D1", 17}, {"D2", 94}, {"D3", 6}, {"D4", 6}};

std::set<std::string> all_ids() {
  std::set<std::string> ids;
  for (const auto& [text, count] : kErrors) {
    for (int i = 1; i <= count; ++i) ids.insert(fmt::format("{}-{}", text, i));
  }
  return ids;
}

std::set<std::string> all_exercises() {
  std::set<std::string> ids;
  for (const auto& folder : fs::directory_iterator(kProject / "topics")) {
    if (!fs::exists(folder.path() / "exercises.toml")) continue;
    std::vector<grader::SchemaError> errors;
    for (const auto& exercise : grader::load_topic(folder.path(), errors).exercises) {
      ids.insert(exercise.id);
    }
  }
  return ids;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

/// "FILE#ANCHOR", where the anchor stands right above a heading or opens a paragraph.
bool has_paragraph(const std::string& place) {
  const std::size_t hash = place.find('#');
  const fs::path file = kProject / place.substr(0, hash);
  if (hash == std::string::npos || !fs::exists(file)) return false;
  const std::string anchor = "<a id=\"" + place.substr(hash + 1) + "\"></a>\n";
  return base::read_file(file).find(anchor) != std::string::npos;
}

/// What is wrong with a map, a sentence each.
std::vector<std::string> faults(const fs::path& file) {
  static const std::set<std::string> exercises = all_exercises();
  std::vector<std::string> found;
  std::set<std::string> missing = all_ids();
  const base::CsvFile map(file);
  for (std::size_t row = 0; row < map.size(); ++row) {
    const std::string id = map.field(row, "id");
    if (missing.erase(id) == 0) found.push_back(id + " is unknown, or stands there twice");
    for (const std::string& number : words(map.field(row, "claims"))) {
      const auto& claims = all_claims();
      if (std::none_of(claims.begin(), claims.end(),
                       [&](const Claim& c) { return std::to_string(c.number) == number; })) {
        found.push_back(fmt::format("{}: there is no claim {}", id, number));
      }
    }
    for (const std::string& exercise : words(map.field(row, "exercises"))) {
      if (!exercises.contains(exercise)) {
        found.push_back(fmt::format("{}: there is no exercise {}", id, exercise));
      }
    }
    for (const std::string& place : words(map.field(row, "paragraphs"))) {
      if (!has_paragraph(place)) found.push_back(fmt::format("{}: there is no {}", id, place));
    }
    const bool is_covered =
        !(map.field(row, "claims") + map.field(row, "exercises") + map.field(row, "paragraphs"))
             .empty();
    if (is_covered == !map.field(row, "reason").empty()) {
      found.push_back(id + " needs a place in the course, or else a reason");
    }
  }
  for (const std::string& id : missing) found.push_back(id + " is missing");
  return found;
}

std::vector<std::string> faults_with(const std::string& from, const std::string& to) {
  std::string text = base::read_file(fs::path(RL_DATA) / "errata" / "map.csv");
  text.replace(text.find(from), from.size(), to);
  const fs::path changed = support::scratch_folder() / "errata_map.csv";
  std::ofstream(changed) << text;
  return faults(changed);
}

}  // namespace

TEST_CASE("every published error is met in the course, or left out for a reason") {
  CHECK(all_ids().size() == 132);
  for (const std::string& fault : faults(fs::path(RL_DATA) / "errata" / "map.csv")) {
    FAIL_CHECK(fault);
  }
}

TEST_CASE("a map that names something absent is refused") {
  using Faults = std::vector<std::string>;
  CHECK(faults_with("D2-30,", "D9-1,") ==
        Faults{"D9-1 is unknown, or stands there twice", "D2-30 is missing"});
  CHECK(faults_with("D0-1,601", "D0-1,699") == Faults{"D0-1: there is no claim 699"});
  CHECK(faults_with("01.count.arrays", "01.count.array") ==
        Faults{"D0-1: there is no exercise 01.count.array"});
  CHECK(faults_with("README.md#clocks", "README.md#clock") ==
        Faults{"D2-8: there is no topics/02-peaks/README.md#clock"});
  CHECK(faults_with("D1-5,813", "D1-5,") ==
        Faults{"D1-5 needs a place in the course, or else a reason"});
  CHECK(faults_with("D1-5,813,,,", "D1-5,813,,,why") ==
        Faults{"D1-5 needs a place in the course, or else a reason"});
}
