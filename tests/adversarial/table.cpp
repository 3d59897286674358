// SPDX-License-Identifier: MIT
// The guide's table of attacks is generated from the corpus. RL_WRITE_TABLE=1 writes it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/files.hpp"
#include "corpus.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path kGuide = fs::path(RL_SOURCE) / "docs/pages/instructor_guide.md";
constexpr const char* kBegin = "<!--attacks-->\n";
constexpr const char* kEnd = "<!--/attacks-->\n";

std::string head_line(const std::string& text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  return text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

std::vector<corpus::Row> all_rows() {
  std::vector<corpus::Row> rows;
  for (const auto& list :
       {corpus::hand_in_rows(), corpus::source_rows(), corpus::object_rows(), corpus::kernel_rows(),
        corpus::process_rows(), corpus::number_rows(), corpus::record_rows()}) {
    rows.insert(rows.end(), list.begin(), list.end());
  }
  return rows;
}

std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

/// Whether it is stopped by a student's own check, by a batch without bubblewrap, and by one with
/// it.
std::string places(corpus::Where where) {
  switch (where) {
    case corpus::Where::kEverywhere:
      return "yes | yes | yes";
    case corpus::Where::kHandedIn:
      return "- | yes | yes";
    case corpus::Where::kBatch:
      return "no | yes | yes";
    case corpus::Where::kSandboxOnly:
      return "no | no | yes";
  }
  return {};
}

std::string table(const std::vector<corpus::Row>& rows) {
  std::string attacks =
      "| attack | what stops it | `./lab check` | light | sandbox | tried "
      "|\n|---|---|---|---|---|---|\n";
  std::string twins;
  std::size_t attack_count = 0, twin_count = 0;
  for (const corpus::Row& row : rows) {
    if (row.stopped_by.empty()) {
      ++twin_count;
      twins += (twins.empty() ? "" : "; ") + row.name;
      continue;
    }
    ++attack_count;
    INFO(row.name);
    CHECK_FALSE(row.tried.empty());
    attacks += "| " + cell(row.name) + " | " + cell(row.stopped_by) + " | " + places(row.where) +
               " | " + row.tried + " |\n";
  }
  return std::to_string(attack_count) + " attacks:\n\n" + attacks + "\n" +
         std::to_string(twin_count) + " honest twins and shapes, none refused: " + twins + ".\n";
}

}  // namespace

TEST_CASE("the guide's table of attacks is the corpus", "[adversarial]") {
  const std::vector<corpus::Row> rows = all_rows();
  std::set<std::string> names;
  for (const corpus::Row& row : rows) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
  }
  std::string guide = base::read_file(kGuide);
  const std::size_t begin = guide.find(kBegin) + std::string(kBegin).size();
  const std::size_t end = guide.find(kEnd);
  REQUIRE(end != std::string::npos);
  const std::string should = "\n" + table(rows) + "\n";
  if (std::getenv("RL_WRITE_TABLE") != nullptr) {
    guide.replace(begin, end - begin, should);
    std::ofstream(kGuide) << guide;
  } else {
    INFO("Write it again with RL_WRITE_TABLE=1 test-adversarial-submissions");
    CHECK(guide.substr(begin, end - begin) == should);
  }
}

std::vector<corpus::Row> corpus::kernel_rows() {
  std::vector<Row> rows;
  std::vector<fs::path> files;
  for (const char* lab : {"tests/adversarial/saxpy", "tests/adversarial/fma_chains",
                          "tests/adversarial/pool", "tests/adversarial/softmax_online"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(RL_SOURCE) / lab)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string text = base::read_file(file);
    std::string name = head_line(text, "// Attack ");
    name.erase(0, name.find(": ") + 2);
    if (name.ends_with(".")) name.pop_back();
    INFO(file);
    const std::string stopped = head_line(text, "// Stopped by: ");
    CHECK_FALSE(stopped.empty());
    // CMakeLists.txt says how each is judged.
    const bool in_sandbox_only = head_line(text, "// Light: ") == "no";
    const bool is_race = head_line(text, "// Refused: ").find("speed |") != std::string::npos;
    rows.push_back({"a kernel that " + name, stopped,
                    in_sandbox_only ? kTriedInSandbox
                    : is_race       ? "with bubblewrap; without by hand"
                                    : kTriedBoth,
                    in_sandbox_only ? Where::kSandboxOnly : Where::kEverywhere});
  }
  rows.push_back({"the solution of each attacked kernel, after all attacks on it"});
  return rows;
}
