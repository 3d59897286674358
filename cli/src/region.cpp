// SPDX-License-Identifier: MIT
// Reads files with TODO marks line by line.
#include "region.hpp"

#include <stdexcept>
#include <vector>

#include "base/text.hpp"

namespace cli {
namespace {

using base::lines_of;

bool contains(const std::string& line, const std::string& text) {
  return line.find(text) != std::string::npos;
}

struct Marks {
  explicit Marks(std::string_view id)
      : begin(" TODO(" + std::string(id) + "):"), end(" END TODO(" + std::string(id) + ")") {}
  std::string begin;
  std::string end;
};

/// The regions of an exercise, marks included.
std::vector<std::string> regions_of(std::string_view text, std::string_view id) {
  const Marks marks(id);
  std::vector<std::string> regions;
  bool inside = false;
  for (const std::string& line : base::lines_of(text)) {
    if (contains(line, marks.begin)) {
      if (inside) break;
      inside = true;
      regions.emplace_back();
    }
    if (inside) regions.back() += line + '\n';
    if (contains(line, marks.end)) inside = false;
  }
  if (inside) {
    throw std::runtime_error("a region of " + std::string(id) +
                             " has lost its END TODO line; --file restores the whole file");
  }
  return regions;
}

}  // namespace

std::string reset_regions(std::string_view file, std::string_view starter, std::string_view id) {
  const std::vector<std::string> fresh = regions_of(starter, id);
  if (fresh.empty()) {
    throw std::runtime_error(std::string(id) +
                             " has no part of its own in that file; --file restores all of it");
  }
  if (regions_of(file, id).size() != fresh.size()) {
    throw std::runtime_error("the TODO lines of " + std::string(id) +
                             " are no longer complete; --file restores the whole file");
  }
  const Marks marks(id);
  std::string result;
  std::size_t next = 0;
  bool inside = false;
  for (const std::string& line : base::lines_of(file)) {
    if (contains(line, marks.begin)) {
      inside = true;
      result += fresh[next++];
    }
    if (!inside) result += line + '\n';
    if (contains(line, marks.end)) inside = false;
  }
  return result;
}

std::string reset_answer(std::string_view file, std::string_view id) {
  const std::string header = "[\"" + std::string(id) + "\"]";
  std::string result;
  bool inside = false;
  bool done = false;
  for (const std::string& line : base::lines_of(file)) {
    const auto start = line.find_first_not_of(" \t");
    const bool is_header = start != std::string::npos && line[start] == '[';
    if (is_header) inside = line.compare(start, header.size(), header) == 0;
    const bool is_value = start != std::string::npos && line.compare(start, 5, "value") == 0;
    if (inside && is_value && !done) {
      result += "value = \"\"\n";
      done = true;
    } else if (!(inside && is_value)) {
      result += line + '\n';
    }
  }
  if (!done) {
    throw std::runtime_error("answers.toml has no entry " + header +
                             " with a value; --file restores the whole file");
  }
  return result;
}

std::string solution_of(std::string_view solution, std::string_view id) {
  const std::vector<std::string> lines = base::lines_of(solution);
  const auto collect = [&](const std::string& mark) {
    std::string text;
    bool inside = false;
    for (const std::string& line : lines) {
      if (contains(line, "@stub")) inside = false;
      if (inside) text += line + '\n';
      if (contains(line, mark)) {
        inside = true;
        if (!text.empty()) text += "    ...\n";
      }
    }
    return text;
  };
  const std::string own = collect("@solve " + std::string(id) + ":");
  return own.empty() ? collect("@solve ") : own;
}

}  // namespace cli
