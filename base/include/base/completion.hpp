// SPDX-License-Identifier: MIT
// Completion in bash for a program that reads its arguments with CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace base {

/// What can follow each command: its commands and options, and the values of options.
class BashCompletion {
 public:
  BashCompletion(const CLI::App& app, std::string program) : program_(std::move(program)) {
    add(app, "");
  }

  /// A script for bash. Where it has no word to offer, bash offers files.
  std::string script() const {
    std::string commands;
    std::string words;
    for (const auto& [path, offered] : words_) {
      if (!path.empty()) commands += (commands.empty() ? "" : " | ") + quoted(path);
      words += "    " + quoted(path) + ") words=" + quoted(offered) + " ;;\n";
    }
    std::string values;
    for (const auto& [offered, options] : options_) {
      values += "    " + options + ") words=" + quoted(offered) + " ;;\n";
    }
    return "# bash completion of " + program_ + ", written by " + program_ + " --completion\n_" +
           program_ +
           "() {\n"
           "  local word=\"${COMP_WORDS[COMP_CWORD]}\" path=\"\" words=\"\" i\n"
           "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "    case \"$path ${COMP_WORDS[i]}\" in\n      " +
           commands +
           ") path+=\" ${COMP_WORDS[i]}\" ;;\n"
           "    esac\n  done\n  case \"$path\" in\n" +
           words + "  esac\n  case \"$path ${COMP_WORDS[COMP_CWORD - 1]}\" in\n" + values +
           "  esac\n"
           "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "}\ncomplete -o default -F _" +
           program_ + " " + program_ + "\n";
  }

 private:
  static std::string quoted(const std::string& text) { return '"' + text + '"'; }

  /// The words of "TEXT:{one,two}", separated by blanks; empty if the values are not listed.
  static std::string listed_values(const std::string& type) {
    const auto begin = type.find('{');
    const auto end = type.find('}');
    if (begin == std::string::npos || end == std::string::npos) return {};
    return CLI::detail::find_and_replace(type.substr(begin + 1, end - begin - 1), ",", " ");
  }

  void add(const CLI::App& app, const std::string& path) {
    std::string& offered = words_[path];
    const auto offer = [&offered](const std::string& word) {
      offered += (offered.empty() ? "" : " ") + word;
    };
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
      if (command->get_name().empty()) {  // a group of options
        add(*command, path);
      } else if (!command->get_group().empty()) {  // not hidden
        offer(command->get_name());
        add(*command, path + " " + command->get_name());
      }
    }
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        if (option->get_group().empty()) continue;
        offer("--" + name);
        if (option->get_items_expected_min() == 0) continue;  // a flag
        std::string& options = options_[listed_values(option->get_type_name())];
        options += (options.empty() ? "" : " | ") + quoted(path + " --" + name);
      }
    }
  }

  std::string program_;
  std::map<std::string, std::string> words_;    ///< by path: " new wrong"
  std::map<std::string, std::string> options_;  ///< by their values, as patterns of a case
};

/// Gives `app` the flag --completion, which prints the script.
inline void add_completion_flag(CLI::App& app, const std::string& program) {
  app.add_flag_callback(
      "--completion",
      [&app, program] {
        std::fputs(BashCompletion(app, program).script().c_str(), stdout);
        throw CLI::Success();
      },
      "Print a completion for bash");
}

}  // namespace base
