// SPDX-License-Identifier: MIT
// Reads rules of make, and follows their paths.
#include "grader/program/read_files.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

bool is_in(const fs::path& file, const fs::path& folder) {
  const fs::path rest = file.lexically_relative(folder);
  return !rest.empty() && *rest.begin() != "..";
}

bool is_in_any(const fs::path& file, const std::vector<fs::path>& folders) {
  return std::ranges::any_of(folders, [&](const fs::path& folder) { return is_in(file, folder); });
}

}  // namespace

std::vector<std::string> prerequisites_of(std::string_view rule) {
  std::vector<std::string> files;
  std::string word;
  bool after_colon = false;
  const auto end_word = [&] {
    if (!word.empty() && after_colon) files.push_back(word);
    if (word.ends_with(':')) after_colon = true;
    word.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (rule[i] == '\\' && next == '\n') {
      end_word();
      ++i;
    } else if ((rule[i] == '\\' && (next == ' ' || next == '#' || next == '\\' || next == ':')) ||
               (rule[i] == '$' && next == '$')) {
      word += next;
      ++i;
    } else if (rule[i] == ' ' || rule[i] == '\t') {
      end_word();
    } else if (rule[i] == '\n') {
      end_word();
      after_colon = false;  // another rule
    } else {
      word += rule[i];
    }
  }
  end_word();
  return files;
}

std::vector<std::string> headers_named_in(std::string_view output) {
  std::vector<std::string> files;
  for (const std::string& line : base::lines_of(output)) {
    const std::size_t path = line.find_first_not_of('.');
    if (path == 0 || path == std::string::npos || line[path] != ' ') continue;
    files.push_back(line.substr(path + 1));
  }
  return files;
}

std::vector<std::string> files_of_errors(std::string_view output) {
  std::vector<std::string> files;
  const auto begins_place = [](std::string_view rest) {
    const bool has_line = rest.size() > 1 && '0' <= rest[1] && rest[1] <= '9';
    return has_line || rest.starts_with(": Assembler messages:");
  };
  for (const std::string& line : base::lines_of(output)) {
    std::size_t colon = line.find(':');
    while (colon != std::string::npos && !begins_place(std::string_view(line).substr(colon))) {
      colon = line.find(':', colon + 1);
    }
    if (colon != std::string::npos && line.front() != ' ') files.push_back(line.substr(0, colon));
  }
  return files;
}

std::string first_file_outside(const std::vector<std::string>& files, const fs::path& folder,
                               const std::vector<fs::path>& allowed) {
  std::vector<fs::path> real;
  for (const fs::path& one : allowed) real.push_back(fs::weakly_canonical(one));
  for (const std::string& name : files) {
    const fs::path file = (folder / name).lexically_normal();
    // As it is written too: what a link leads to may be something else for another process.
    const bool is_named = is_in_any(file, allowed) || is_in_any(file, real);
    if (!is_named || !is_in_any(fs::weakly_canonical(file), real)) return name;
  }
  return {};
}

}  // namespace grader
