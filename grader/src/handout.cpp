// SPDX-License-Identifier: MIT
// Reading and writing the files of a handout.
#include "grader/handout.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "roofline/text_file.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;
using harness::Value;
using nlohmann::json;

constexpr const char* kFormat = "roofline-labs.sealed-answers";
constexpr int kVersion = 2;  // 2: words have boxes of wrong ones as well

json to_json(const Seal& seal) {
  json boxes = json::array();
  for (const Box& box : seal.boxes) boxes.push_back({box.tag, box.text});
  return {{"label", seal.label},           {"salt", seal.salt},
          {"iterations", seal.iterations}, {"logarithmic", seal.grid.logarithmic},
          {"width", seal.grid.width},      {"reach", seal.grid.reach},
          {"boxes", std::move(boxes)}};
}

Seal from_json(const json& entry) {
  Seal seal;
  seal.label = entry.at("label");
  seal.salt = entry.at("salt");
  seal.iterations = entry.at("iterations");
  seal.grid = {entry.at("logarithmic"), entry.at("width"), entry.at("reach")};
  for (const json& box : entry.at("boxes")) seal.boxes.push_back({box.at(0), box.at(1)});
  return seal;
}

std::string to_hex(const std::string& bytes) {
  std::ostringstream out;
  out << std::hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out << (byte >> 4) << (byte & 15);
  }
  return out.str();
}

std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

}  // namespace

std::optional<Handout> Handout::find(const fs::path& root) {
  const fs::path folder = root / kHandoutFolder;
  if (!fs::exists(folder)) return std::nullopt;
  Handout handout;
  handout.folder_ = folder;
  for (Seal& seal : parse_seals(roofline::read_text_file(folder / "answers.json"))) {
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
  return parse_function(roofline::read_text_file(folder_ / "functions" / (id + ".txt")));
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
      throw std::runtime_error("these are sealed answers of another version");
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
  for (const std::string& message : function.messages) text += "mistake " + to_hex(message) + "\n";
  for (const StoredCase& one : function.cases) {
    text += to_hex(Value(one.arguments).encode()) + " " + to_hex(one.reply.encode()) + " " +
            to_hex(Value(one.mistaken).encode()) + "\n";
  }
  return text;
}

StoredFunction parse_function(const std::string& text) {
  StoredFunction function;
  std::istringstream in(text);
  for (std::string first, second, third; in >> first >> second;) {
    if (first == "mistake") {
      function.messages.push_back(from_hex(second));
    } else if (in >> third) {
      function.cases.push_back({Value::decode(from_hex(first)).list(),
                                Value::decode(from_hex(second)),
                                Value::decode(from_hex(third)).list()});
    }
  }
  if (function.cases.empty()) {
    throw std::runtime_error("there are no stored cases of this function");
  }
  return function;
}

}  // namespace grader
