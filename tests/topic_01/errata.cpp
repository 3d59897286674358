// SPDX-License-Identifier: MIT
// data/errata: every claim says what the library computes, and there are enough of each kind.
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "answers_claims.hpp"
#include "grader/exercise/variant.hpp"
#include "support/catch.hpp"

namespace {

namespace fs = std::filesystem;

/// What a file says about a claim.
struct Entry {
  std::string id;
  std::string text;
  bool holds = false;
  std::optional<double> claimed;
  std::optional<double> correct;
  std::string unit;
  std::string kind;
  std::string derivation;
};

std::map<int, Entry> read_entries() {
  std::map<int, Entry> entries;
  for (const auto& file : fs::directory_iterator(fs::path(RL_DATA) / "errata")) {
    if (file.path().extension() != ".toml") continue;
    const toml::table root = toml::parse_file(file.path().string());
    for (const toml::node& node : *root["claim"].as_array()) {
      const toml::table& table = *node.as_table();
      const int number = table["number"].value<int>().value();
      INFO(file.path().string() << ", number " << number);
      REQUIRE_FALSE(entries.contains(number));
      entries[number] = {table["id"].value<std::string>().value(),
                         table["claim"].value<std::string>().value(),
                         table["holds"].value<bool>().value(),
                         table["claimed"].value<double>(),
                         table["correct"].value<double>(),
                         table["unit"].value<std::string>().value_or(""),
                         table["kind"].value<std::string>().value(),
                         table["derivation"].value<std::string>().value()};
    }
  }
  return entries;
}

bool agree(double a, double b) {
  constexpr double kRounding = 1e-5;  // the files give six digits
  return std::abs(a - b) <= kRounding * std::abs(b);
}

}  // namespace

TEST_CASE("every claim of the files is computed, and every computed claim is in a file") {
  const std::map<int, Entry> entries = read_entries();
  std::set<int> computed;
  for (const Claim& claim : all_claims()) computed.insert(claim.number);
  CHECK(computed.size() == all_claims().size());
  for (const int number : computed) {
    INFO("number " << number);
    CHECK(entries.contains(number));
  }
  CHECK(entries.size() == computed.size());
}

TEST_CASE("files say what the library computes") {
  const std::map<int, Entry> entries = read_entries();
  for (const Claim& claim : all_claims()) {
    const Entry& entry = entries.at(claim.number);
    INFO(claim.number << " " << claim.id << ": " << entry.text);
    CHECK(entry.id == claim.id);
    CHECK(entry.holds == claim.holds());
    CHECK((entry.kind == "right") == claim.holds());
    CHECK_FALSE(entry.derivation.empty());
    CHECK(entry.unit == claim.unit);
    REQUIRE(entry.claimed.has_value() == claim.claimed.has_value());
    REQUIRE(entry.correct.has_value() == (claim.correct != nullptr));
    if (!claim.claimed) continue;
    INFO("computed " << claim.correct());
    CHECK(agree(*entry.claimed, *claim.claimed));
    CHECK(agree(*entry.correct, claim.correct()));
  }
}

namespace {

/// The last number of a text that is not part of a name such as A100 or L2.
double last_figure(const std::string& text) {
  static const std::regex kNumber(R"((?:^|[^A-Za-z0-9._])(\d+(?:\.\d+)?))");
  double last = NAN;
  for (std::sregex_iterator it(text.begin(), text.end(), kNumber), end; it != end; ++it) {
    last = std::stod((*it)[1]);
  }
  return last;
}

}  // namespace

TEST_CASE("the last figure of a claim is the one that it claims") {
  for (const auto& [number, entry] : read_entries()) {
    if (!entry.claimed) continue;
    INFO(number << ": " << entry.text);
    CHECK(last_figure(entry.text) == Approx(*entry.claimed).epsilon(0.005));
  }
}

// What a claim leaves open, an answer may take either way: these say what they count.
TEST_CASE("claims about attention say whether softmax counts") {
  for (const auto& [number, entry] : read_entries()) {
    const bool counts_flops = entry.unit == "FLOP/B" || entry.unit.empty();
    const bool has_scores = entry.text.find("ttention over") != std::string::npos ||
                            entry.text.find("fused attention") != std::string::npos;
    if (!has_scores || !counts_flops || !entry.claimed) continue;
    INFO(number << ": " << entry.text);
    CHECK(entry.text.find("softmax") != std::string::npos);
  }
}

TEST_CASE("a wrong claim is far enough from right for the tolerance of the exercises") {
  for (const Claim& claim : all_claims()) {
    if (!claim.claimed || claim.holds()) continue;
    INFO(claim.number << " " << claim.id);
    CHECK(std::abs(*claim.claimed / claim.correct() - 1) > 0.01);
  }
}

TEST_CASE("many claims are wrong and enough are right, of every kind") {
  std::map<std::string, int> kinds;
  int wrong = 0;
  for (const auto& [number, entry] : read_entries()) {
    ++kinds[entry.kind];
    wrong += entry.holds ? 0 : 1;
  }
  CHECK(wrong >= 30);
  for (const char* kind : {"value", "contradiction", "concept", "measurement", "right"}) {
    INFO(kind);
    CHECK(kinds[kind] >= 2);
  }
  CHECK(kinds["right"] >= 15);
  CHECK(kinds.size() == 5);
}

namespace {

std::vector<grader::Exercise> claim_exercises() {
  std::vector<grader::SchemaError> errors;
  const grader::Topic topic =
      grader::load_topic(fs::path(RL_DATA).parent_path() / "topics" / "01-ai-basics", errors);
  REQUIRE(errors.empty());
  std::vector<grader::Exercise> exercises;
  for (const grader::Exercise& exercise : topic.exercises) {
    if (exercise.id.starts_with("01.claims.")) exercises.push_back(exercise);
  }
  return exercises;
}

}  // namespace

TEST_CASE("every claim can be drawn by somebody, right ones among them") {
  std::set<double> drawable;
  for (const grader::Exercise& exercise : claim_exercises()) {
    const std::vector<double>& choices = exercise.parameters().at(0).choices;
    drawable.insert(choices.begin(), choices.end());
    const bool has_right = std::any_of(choices.begin(), choices.end(), [](double number) {
      return claim_numbered(number).holds();
    });
    INFO(exercise.id);
    CHECK(has_right);
  }
  CHECK(drawable.size() == all_claims().size());
}

TEST_CASE("a student corrects the claim that they judged, and nobody judges one twice") {
  const std::vector<grader::Exercise> exercises = claim_exercises();
  std::size_t pairs = 0;
  for (int i = 0; i < 50; ++i) {
    const grader::Variant variant{"secret", "student" + std::to_string(i), 1};
    std::map<std::string, std::set<double>> judged;  // by family: 01.claims.roofs
    std::map<std::string, std::set<double>> corrected;
    for (const grader::Exercise& exercise : exercises) {
      const std::string family = exercise.id.substr(0, exercise.id.rfind('.'));
      const double claim = value_of(exercise.parameters().at(0), exercise.id, variant);
      const bool is_choice = exercise.kind() == grader::Kind::kChoice;
      INFO(exercise.id << " " << claim);
      CHECK((is_choice ? judged : corrected)[family].insert(claim).second);
    }
    for (const auto& [family, claims] : corrected) {
      INFO(family);
      CHECK(judged.at(family) == claims);
      ++pairs;
    }
  }
  CHECK(pairs == 50 * 7);
}
