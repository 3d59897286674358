// SPDX-License-Identifier: MIT
// Reads and writes the files of a handout.
#include "grader/handout/handout.hpp"

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "base/files.hpp"
#include "base/hex.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;
using harness::Value;
using nlohmann::json;

constexpr const char* kFormat = "roofline-labs.sealed-answers";
constexpr int kVersion = 3;  // 3: AES-GCM

json to_json(const Seal& seal) {
  return {{"label", seal.label},
          {"salt", seal.salt},
          {"iterations", seal.iterations},
          {"logarithmic", seal.grid.logarithmic},
          {"width", seal.grid.width},
          {"reach", seal.grid.reach},
          {"ciphertexts", seal.ciphertexts}};
}

Seal from_json(const json& entry) {
  Seal seal;
  seal.label = entry.at("label");
  seal.salt = entry.at("salt");
  seal.iterations = entry.at("iterations");
  seal.grid = {entry.at("logarithmic"), entry.at("width"), entry.at("reach")};
  seal.ciphertexts = entry.at("ciphertexts").get<std::vector<std::string>>();
  return seal;
}

}  // namespace

std::optional<Handout> Handout::find(const fs::path& root) {
  const fs::path folder = root / kHandoutFolder;
  if (!fs::exists(folder)) return std::nullopt;
  Handout handout;
  handout.folder_ = folder;
  for (Seal& seal : parse_seals(base::read_file(folder / "answers.json"))) {
    const std::string label = seal.label;
    handout.seals_[label] = std::move(seal);
  }
  return handout;
}

const Seal* Handout::answer(const std::string& id) const {
  const auto found = seals_.find(id);
  return found == seals_.end() ? nullptr : &found->second;
}

StoredFunction Handout::function(const std::string& id) const {
  return parse_function(base::read_file(folder_ / "functions" / (id + ".txt")));
}

std::string seals_json(const std::vector<Seal>& seals) {
  json list = json::array();
  for (const Seal& seal : seals) list.push_back(to_json(seal));
  return json{{"format", kFormat}, {"version", kVersion}, {"seals", std::move(list)}}.dump(1) +
         "\n";
}

std::vector<Seal> parse_seals(const std::string& text) {
  try {
    const json document = json::parse(text);
    if (document.at("format") != kFormat || document.at("version") != kVersion) {
      throw std::runtime_error("these answers were sealed by another version of the course (" +
                               document.at("version").dump() + ", this one reads " +
                               std::to_string(kVersion) + "); the handout must be exported again");
    }
    std::vector<Seal> seals;
    for (const json& entry : document.at("seals")) seals.push_back(from_json(entry));
    return seals;
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("the sealed answers are damaged: ") + error.what());
  }
}

std::string function_text(const StoredFunction& function) {
  std::string text;
  for (const std::string& message : function.messages)
    text += "mistake " + base::to_hex(message) + "\n";
  for (const StoredCase& one : function.cases) {
    text += base::to_hex(Value(one.arguments).encode()) + " " + base::to_hex(one.reply.encode()) +
            " " + base::to_hex(Value(one.mistaken).encode()) + "\n";
  }
  return text;
}

StoredFunction parse_function(const std::string& text) {
  StoredFunction function;
  std::istringstream in(text);
  for (std::string first, second, third; in >> first >> second;) {
    if (first == "mistake") {
      function.messages.push_back(base::from_hex(second));
    } else if (in >> third) {
      function.cases.push_back({Value::decode(base::from_hex(first)).list(),
                                Value::decode(base::from_hex(second)),
                                Value::decode(base::from_hex(third)).list()});
    }
  }
  if (function.cases.empty()) {
    throw std::runtime_error("there are no stored cases of this function");
  }
  return function;
}

}  // namespace grader
