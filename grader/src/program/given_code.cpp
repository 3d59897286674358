// SPDX-License-Identifier: MIT
// Looks for the line that the checker names between the TODO lines of a starter.
#include "grader/program/given_code.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <string_view>

#include "base/files.hpp"

namespace grader {
namespace {

/// Whether `source` marks parts as the student's, and the line is in none of them.
bool is_outside_of_parts(const std::string& source, int line) {
  std::istringstream lines(source);
  bool has_parts = false;
  bool is_inside = false;
  bool is_outside = false;
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    if (text.find("// TODO(") != std::string::npos) has_parts = is_inside = true;
    if (++number == line) is_outside = !is_inside;
    if (text.find("// END TODO(") != std::string::npos) is_inside = false;
  }
  return has_parts && is_outside;
}

}  // namespace

std::string with_advice_on_given_code(std::string text,
                                      std::span<const std::filesystem::path> sources) {
  constexpr std::string_view kOfChecker = "Guard the index with `if (i < n)`, or correct it.";
  const std::size_t advice = text.find(kOfChecker);
  static const std::regex kPlace(" at ([^ :]{1,100}):([0-9]{1,6}) (reads|writes|updates) ");
  std::smatch place;
  if (advice == std::string::npos || !std::regex_search(text, place, kPlace)) return text;
  const bool is_given = std::ranges::any_of(sources, [&](const std::filesystem::path& source) {
    return source.filename() == place[1].str() &&
           is_outside_of_parts(base::read_file_if_any(source), std::stoi(place[2]));
  });
  if (is_given) {
    text.replace(advice, kOfChecker.size(),
                 "That line is outside of your TODO. If its kernel was given, look at what you "
                 "pass to it and how often it runs; else guard the index.");
  }
  return text;
}

}  // namespace grader
