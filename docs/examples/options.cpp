// SPDX-License-Identifier: MIT
// Compares --help with the sections of a page.
#include "options.hpp"

#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "shown.hpp"

namespace docs {
namespace {

/// One "## " section: its text, and the commands whose output it shows.
struct Section {
  std::string prose;
  std::string commands;  ///< one per line, each preceded by a blank
};

std::map<std::string, Section> sections_of(const std::string& page) {
  std::map<std::string, Section> sections;
  std::string name;
  bool in_block = false;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      in_block = !in_block;
    } else if (in_block) {
      if (line.starts_with("$ ")) sections[name].commands += line.substr(1) + "\n";
    } else if (line.starts_with("## ")) {
      name = line.substr(3, line.find(" {#") - 3);
    } else if (!line.starts_with("<!--")) {
      sections[name].prose += line + "\n";
    }
  }
  return sections;
}

std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    found.push_back((*it)[1]);
  }
  return found;
}

std::vector<std::string> commands_of(const std::string& program) {
  static const std::regex kCommand("\n  ([a-z][a-z-]*) ");
  const std::string help = output_of(program + " --help");
  const auto list = help.find("\nSubcommands:");
  if (list == std::string::npos) throw std::runtime_error(program + " --help lists no commands");
  return all_matches(help.substr(list), kCommand);
}

}  // namespace

std::vector<std::string> gaps_of(const std::string& program, const std::string& page) {
  static const std::regex kOption("\n  (?:-\\w,)?(--[a-z][a-z-]*)");
  std::vector<std::string> gaps;
  const std::map<std::string, Section> sections = sections_of(page);
  for (const std::string& command : commands_of(program)) {
    std::string name = program;
    name.append(" ").append(command);
    const auto section = sections.find(name);
    if (section == sections.end()) {
      gaps.push_back("no section ## " + name);
      continue;
    }
    const std::regex example("[ /]" + name + "\\b(?! --help)");
    if (!std::regex_search(section->second.commands, example)) {
      gaps.push_back(name + ": no example with its output");
    }
    const std::string help = output_of(name + " --help");
    for (const std::string& line : base::lines_of(help)) {
      if (line.size() > base::kMostColumns) gaps.push_back(name + " --help: too wide: " + line);
    }
    for (const std::string& option : all_matches(help, kOption)) {
      if (option == "--help") continue;
      if (!std::regex_search(section->second.prose, std::regex("`" + option + "[` ]"))) {
        gaps.push_back(name + ": ");
        gaps.back().append(option).append(" is not explained");
      }
    }
  }
  return gaps;
}

}  // namespace docs
