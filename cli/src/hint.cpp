// SPDX-License-Identifier: MIT
// ./lab hint: one more hint at each call.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "commands.hpp"
#include "roofline/measurement.hpp"
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

}  // namespace

int hint(const Course& course, const std::string& id) {
  const std::vector<const grader::Exercise*> found = course.matching(id);
  if (found.size() != 1) {
    throw std::runtime_error(found.empty()
                                 ? "no exercise is called " + id + "; ./lab list shows them all"
                                 : id + " names several exercises; give the whole id");
  }
  const grader::Exercise& exercise = *found.front();
  const fs::path file = course.root() / ".lab" / "hints.json";
  json counts = read_counts(file);
  const std::size_t shown = std::min(counts.value(id, std::size_t{0}) + 1, exercise.hints.size());
  for (std::size_t i = 0; i < shown; ++i) {
    std::printf("%zu of %zu\n%s", i + 1, exercise.hints.size(), wrap(exercise.hints[i], 2).c_str());
  }
  counts[id] = shown;
  fs::create_directories(file.parent_path());
  roofline::write_file_atomically(file, counts.dump(2) + "\n");
  return 0;
}

}  // namespace cli
