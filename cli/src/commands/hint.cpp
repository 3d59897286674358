// SPDX-License-Identifier: MIT
// ./lab hint: shows one more hint at each call.
#include "hint.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "commands.hpp"
#include "lock.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_counts(const fs::path& file) {
  std::ifstream in(file);
  json counts = json::parse(in, nullptr, /*allow_exceptions=*/false);
  return counts.is_object() ? counts : json::object();
}

/// The number of hints to show now.
std::size_t count_one_more(const Course& course, const grader::Exercise& exercise) {
  const base::FileLock lock = lock_checkout(course.memory_folder(), "hint");
  const fs::path file = course.memory_folder() / "hints.json";
  json counts = read_counts(file);
  const json before = counts.contains(exercise.id) ? counts[exercise.id] : json(0);
  const std::size_t given = before.is_number_unsigned() ? before.get<std::size_t>() : 0;
  const std::size_t shown = std::min(given + 1, exercise.hints.size());
  counts[exercise.id] = shown;
  base::write_file_atomically(file, counts.dump(2) + "\n");
  return shown;
}

}  // namespace

void give_hint(const Course& course, const grader::Exercise& exercise) {
  const std::size_t shown = count_one_more(course, exercise);
  std::printf("%s\n", bold("Hints for " + exercise.id).c_str());
  for (std::size_t i = 0; i < shown; ++i) {
    std::printf("%zu of %zu\n%s", i + 1, exercise.hints.size(), wrap(exercise.hints[i], 2).c_str());
  }
  if (shown == exercise.hints.size()) {
    std::printf("%s  topics/%s/README.md#%s\n",
                wrap("That was the last hint. The section to read is").c_str(),
                exercise.topic.c_str(), exercise.writeup.c_str());
  }
}

int hint(const Course& course, const std::string& id) {
  give_hint(course, course.one(id));
  return 0;
}

}  // namespace cli
