// SPDX-License-Identifier: MIT
#include "bad_sources.hpp"

#include <algorithm>
#include <stdexcept>

#include "grader/exercise/wrong_solution.hpp"

namespace fs = std::filesystem;

std::vector<Bad> bad_sources(const fs::path& root, const fs::path& folder) {
  std::vector<Bad> result;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = grader::wrong_solution(root, entry.path());
    const std::string mark = "// Refused: ";
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + mark.size();
    result.push_back({entry.path(), text, text.substr(begin, text.find(' ', begin) - begin)});
  }
  std::sort(result.begin(), result.end(),
            [](const Bad& a, const Bad& b) { return a.file < b.file; });
  if (result.empty()) throw std::runtime_error("nothing in " + folder.string());
  return result;
}

std::vector<Bad> hostile_kernels(const fs::path& root) {
  std::vector<Bad> result = bad_sources(root, root / "tests/adversarial/saxpy");
  std::erase_if(result, [](const Bad& bad) { return bad.exercise != "90.saxpy"; });
  return result;
}
