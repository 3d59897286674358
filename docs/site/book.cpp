// SPDX-License-Identifier: MIT
// Finds the pages and their titles.
#include "book.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace docs {
namespace {

namespace fs = std::filesystem;

/// Pages before and after the topics, in order.
const std::vector<std::string> kFront = {"index", "student_guide", "notation", "glossary"};
const std::vector<std::string> kBack = {
    "gpu_language",   "virtual_gpu",       "tool_roofline",    "tool_lab",          "tool_grader",
    "python_package", "profiler_counters", "instructor_guide", "contribute_machine"};

std::vector<fs::path> sorted_files(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> topic_files(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(root / "topics")) {
    const fs::path readme = entry.path() / "README.md";
    if (fs::exists(readme)) files.push_back(readme);
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string id_from_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// The first heading: its text, and the id in braces when it has one.
Page read_heading(const fs::path& file, const fs::path& root) {
  static const std::regex kHeading(R"(^# (.*?)(?: *\{#(\w+)\})?$)");
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, kHeading)) continue;
    const fs::path relative = file.lexically_relative(root);
    std::string id = match[2];
    const std::string folder = relative.parent_path().filename().string();
    if (id.empty() && *relative.begin() == "topics") id = "topic_" + id_from_name(folder);
    if (id.empty()) id = id_from_name(file.stem().string());
    std::transform(id.begin(), id.end(), id.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    return {relative, id, match[1]};
  }
  throw std::runtime_error(file.string() + " has no heading");
}

}  // namespace

std::vector<Page> book(const fs::path& root) {
  std::vector<fs::path> files;
  const auto add = [&](const fs::path& file) {
    if (fs::exists(file) && std::find(files.begin(), files.end(), file) == files.end()) {
      files.push_back(file);
    }
  };
  for (const std::string& name : kFront) add(root / "docs" / "pages" / (name + ".md"));
  for (const fs::path& file : topic_files(root)) add(file);
  for (const std::string& name : kBack) add(root / "docs" / "pages" / (name + ".md"));
  add(root / "CONTRIBUTING.md");
  add(root / "docs" / "pages" / "architecture.md");
  for (const fs::path& file : sorted_files(root / "docs" / "pages", ".md")) {
    if (file.stem() != "decisions") add(file);
  }
  add(root / "docs" / "pages" / "decisions.md");
  for (const fs::path& file : sorted_files(root / "docs" / "adr", ".md")) add(file);
  std::vector<Page> pages;
  for (const fs::path& file : files) pages.push_back(read_heading(file, root));
  if (!pages.empty()) pages.front().id = "index";
  return pages;
}

std::optional<Page> page_of(const std::vector<Page>& pages, const fs::path& file) {
  const auto found =
      std::find_if(pages.begin(), pages.end(), [&](const Page& page) { return page.file == file; });
  if (found == pages.end()) return std::nullopt;
  return *found;
}

std::string address(const Page& page) {
  return page.id + ".html";
}

}  // namespace docs
