// SPDX-License-Identifier: MIT
// The numbers in the text: computes each registered value, and checks or updates the Markdown
// files.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "value.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> markdown_files(const fs::path& root) {
  std::vector<fs::path> files = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const char* folder : {"topics", "docs/pages", "docs/adr", "data"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") files.push_back(entry.path());
    }
  }
  return files;
}

/// Totals over all files.
struct Tally {
  int numbers = 0;
  int wrong = 0;
  int unknown = 0;  ///< used in a text, but not registered
  int unused = 0;   ///< registered, but used in no text
  std::set<std::string> used;
};

void handle_file(const fs::path& file, const docs::Sources& sources, bool write, Tally& tally) {
  static const std::regex kMark("<!--v:([^>]*?)-->([^<]*)<!--/v-->");
  const std::string before = base::read_file(file);
  std::string after;
  auto rest = before.cbegin();
  for (std::sregex_iterator it(before.begin(), before.end(), kMark), end; it != end; ++it) {
    const std::string key = (*it)[1];
    const std::string is = (*it)[2];
    ++tally.numbers;
    tally.used.insert(key);
    const auto found = docs::registered_values().find(key);
    if (found == docs::registered_values().end()) {
      ++tally.unknown;
      fmt::print("{}: no value is called {} in docs/values/\n", file.string(), key);
      continue;
    }
    const std::string should = found->second(sources);
    if (is != should) {
      ++tally.wrong;
      fmt::print("{}: {} is {} in the text and {} by computation\n", file.string(), key, is,
                 should);
    }
    after.append(rest, (*it)[0].first);
    after += fmt::format("<!--v:{}-->{}<!--/v-->", key, should);
    rest = (*it)[0].second;
  }
  after.append(rest, before.cend());
  if (write && after != before) base::write_file_atomically(file, after);
}

int run(const fs::path& root, bool write) {
  const docs::Sources sources(root / "data");
  Tally tally;
  for (const fs::path& file : markdown_files(root)) handle_file(file, sources, write, tally);
  for (const auto& [key, compute] : docs::registered_values()) {
    if (!tally.used.contains(key)) {
      fmt::print("docs/values: no text uses {}\n", key);
      ++tally.unused;
    }
  }
  fmt::print("{} numbers in the texts, {} {}, {} unknown, {} unused\n", tally.numbers, tally.wrong,
             write ? "corrected" : "wrong", tally.unknown, tally.unused);
  if (tally.numbers == 0) throw std::runtime_error("no number was found: is this the project?");
  const bool right = tally.wrong == 0 || write;
  return right && tally.unknown == 0 && tally.unused == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 3 ? argv[2] : "";
  if (mode != "--check" && mode != "--write") {
    std::fputs("usage: doc_values PROJECT_ROOT --check|--write\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], mode == "--write");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "doc_values: %s\n", error.what());
    return 1;
  }
}
