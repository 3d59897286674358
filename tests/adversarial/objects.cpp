// SPDX-License-Identifier: MIT
// Objects that a student's source may compile to, and their check before they run.
#include <cstdlib>

#include "base/files.hpp"
#include "contents.hpp"
#include "corpus.hpp"
#include "grader/program/recipe.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using adversarial::Source;
using adversarial::sources;

namespace {

/// The object of a source, which must compile.
std::string object_of(const std::string& code) {
  const support::TemporaryFolder folder;
  folder.write("a.cpp", code);
  const std::string source = RL_SOURCE;
  const std::string line = std::string(RL_CXX) + " -std=c++20 -O1 -w -fopenmp -I'" + source +
                           "/harness/include' -I'" + source + "/gpu/include' -I'" + source +
                           "/gpu/cpu/include' -c '" + (folder.path / "a.cpp").string() + "' -o '" +
                           (folder.path / "a.o").string() + "'";
  REQUIRE(std::system(line.c_str()) == 0);
  return base::read_file_if_any(folder.path / "a.o");
}

/// The libraries that programs of submissions are linked with.
const std::vector<fs::path>& libraries() {
  static const std::vector<fs::path> kAll = [] {
    std::vector<fs::path> all;
    for (const char* program : {"saxpy-checked", "formulas"}) {
      const auto own = grader::read_recipe(RL_BUILD, "90-course", program).libraries();
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace

#ifdef __linux__
TEST_CASE("objects are checked before they run", "[adversarial]") {
  grader::LibraryNames names;
  for (const Source& source : sources()) {
    const std::string refusal = refusal_of(object_of(source.code), names, libraries(), source.what);
    INFO(source.name << ": " << refusal);
    if (source.refusal.empty()) {
      CHECK(refusal.empty());
    } else {
      CHECK(refusal.find(source.refusal) != std::string::npos);
    }
  }
}

TEST_CASE("the course's own solutions pass the check", "[adversarial]") {
  grader::LibraryNames names;
  int looked_at = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(RL_BUILD) / "CMakeFiles")) {
    const std::string path = entry.path().string();
    const bool is_solution =
        path.find("-solution") != std::string::npos && path.find("_wrong") == std::string::npos;
    if (!is_solution || !path.ends_with(".o")) continue;
    ++looked_at;
    INFO(path);
    const auto what = path.find("formulas") != std::string::npos ? grader::ObjectOf::kFunction
                                                                 : grader::ObjectOf::kKernel;
    CHECK(refusal_of(base::read_file_if_any(entry.path()), names, libraries(), what) == "");
  }
  CHECK(looked_at > 0);
}

TEST_CASE("an object that is cut or changed is read without harm", "[adversarial]") {
  grader::LibraryNames names;
  const std::string object = object_of(sources().front().code);
  for (std::size_t size = 0; size < object.size(); size += 37) {
    CHECK_NOTHROW(refusal_of(object.substr(0, size), names, {}, grader::ObjectOf::kKernel));
  }
  for (std::size_t at = 16; at < object.size(); at += 13) {
    std::string changed = object;
    changed[at] = '\xff';
    CHECK_NOTHROW(refusal_of(changed, names, {}, grader::ObjectOf::kKernel));
  }
}
#endif

std::vector<corpus::Row> corpus::object_rows() {
  std::vector<Row> rows;
  for (const Source& source : sources()) {
    rows.push_back({"in the object: " + source.name,
                    source.refusal.empty() ? "" : "the object file is inspected before it runs",
                    kTriedObject, Where::kBatch});
  }
  return rows;
}
