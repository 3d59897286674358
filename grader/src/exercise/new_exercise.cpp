// SPDX-License-Identifier: MIT
// Fills in templates and puts them where they belong.
#include "grader/exercise/new_exercise.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"
#include "grader/kind/kinds.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndOfNamespace = "}  // namespace\n";

/// The text for each @key@.
using Words = std::map<std::string, std::string>;

/// `text` with its keys replaced by words.
std::string filled(std::string text, const Words& words) {
  for (const auto& [key, word] : words) {
    const std::string place = "@" + key + "@";
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place, at)) {
      text.replace(at, place.size(), word);
      at += word.size();
    }
  }
  return text;
}

std::string dashed(std::string name, std::string_view separators) {
  const auto is_separator = [&](char c) { return separators.find(c) != std::string_view::npos; };
  std::replace_if(name.begin(), name.end(), is_separator, '-');
  return name;
}

/// The rules of a kind that has templates. @throws std::runtime_error that lists such kinds.
const KindRules& rules_with_templates(const fs::path& templates, const std::string& name) {
  std::vector<std::string> known;
  for (const Kind kind : all_kinds()) {
    if (!fs::is_directory(templates / name_of(kind))) continue;
    if (name_of(kind) == name) return rules_of(kind);
    known.emplace_back(name_of(kind));
  }
  throw std::runtime_error("no templates for the kind '" + name +
                           "'; there are some for: " + base::joined(known));
}

Words words_for(const KindRules& kind, const std::string& topic, const std::string& name) {
  static const std::regex kName("([a-z][a-z0-9_]*\\.)*[a-z][a-z0-9_]*");
  if (!std::regex_match(name, kName)) {
    throw std::runtime_error(
        "a name consists of lower-case letters, digits and _, with dots between words: " + name);
  }
  if (kind.has_kernels && name.find('.') != std::string::npos) {
    throw std::runtime_error("a kernel is named like its program, without a dot: " + name);
  }
  const std::string number = topic.substr(0, topic.find('-'));
  const std::string last = kind.has_kernels ? "." + std::string(kind.name) : "";
  return {{"id", number + "." + dashed(name, "_") + last},
          {"topic", topic},
          {"number", number},
          {"name", name.substr(name.rfind('.') + 1)},
          {"anchor", dashed(name, "_.")}};
}

/// The templates below a folder, sorted by name.
std::vector<fs::path> templates_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// `text` with `part` added at its end, or before the end of its anonymous namespace.
std::string added(std::string text, const std::string& part) {
  if (!text.ends_with(kEndOfNamespace)) return text + part;
  text.insert(text.size() - kEndOfNamespace.size(), part + "\n");
  return text;
}

}  // namespace

NewExercise new_exercise(const fs::path& root, const std::string& kind, const std::string& topic,
                         const std::string& name) {
  const fs::path templates = root / "templates" / "exercise";
  if (!fs::is_directory(root / "topics" / topic)) {
    throw std::runtime_error("there is no folder topics/" + topic);
  }
  const Words words = words_for(rules_with_templates(templates, kind), topic, name);
  const std::string& id = words.at("id");
  std::vector<std::pair<fs::path, std::string>> planned;
  for (const fs::path& folder : {templates / kind, templates / "every"}) {
    for (const fs::path& file : templates_in(folder)) {
      const fs::path relative = file.lexically_relative(folder);
      const fs::path goal = root / filled(fs::path(relative).replace_extension().string(), words);
      const std::string part = filled(base::read_file(file), words);
      const bool is_whole = part.starts_with("// SPDX");
      if (is_whole && fs::exists(goal)) {
        throw std::runtime_error(goal.string() + " exists already; choose another name");
      }
      if (is_whole) {
        planned.emplace_back(goal, part);
        continue;
      }
      const std::string old =
          base::read_file(fs::exists(goal) ? goal : templates / "begin" / relative);
      if (old.find("id = \"" + id + "\"\n") != std::string::npos) {
        throw std::runtime_error(id + " exists already, in " + goal.string());
      }
      // The write-up may already have the section.
      if (old.find("<a id=\"" + words.at("anchor") + "\"></a>") != std::string::npos) continue;
      planned.emplace_back(goal, added(filled(old, words), part));
    }
  }
  NewExercise result{id, {}};
  for (const auto& [file, text] : planned) {
    fs::create_directories(file.parent_path());
    base::write_file_atomically(file, text);
    result.files.push_back(file);
  }
  return result;
}

}  // namespace grader
