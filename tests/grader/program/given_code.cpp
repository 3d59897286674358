// SPDX-License-Identifier: MIT
// What a student reads about a stray access in given code.
#include "grader/program/given_code.hpp"

#include <array>
#include <string>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

/// The advice for a line of graph.cu, in which lines 3 to 5 are the student's.
std::string advised(int line, const std::string& source_text) {
  const support::TemporaryFolder root;
  root.write("graph.cu", source_text);
  const std::array<std::filesystem::path, 1> sources = {root.path / "graph.cu"};
  return grader::with_advice_on_given_code(
      "access outside of a buffer: index 512 of your argument keys, and it holds 512 elements of 4 "
      "bytes\nblock (8,0,0) thread (0,0,0) at graph.cu:" +
          std::to_string(line) +
          " writes 4 bytes there. Guard the index with `if (i < n)`, or correct it.\n"
          "kernel project, launched at graph.cu:4",
      sources);
}

constexpr const char* kMarked =
    "__global__ void project() {\n"
    "}\n"
    "// TODO(04.graph.kernel): replay it.\n"
    "launch();\n"
    "// END TODO(04.graph.kernel)\n"
    "__global__ void add() {}\n";

bool says_guard(const std::string& text) {
  return text.find("there. Guard the index with `if (i < n)`") != std::string::npos;
}

}  // namespace

TEST_CASE("a stray access outside of the student's parts is not to be guarded first") {
  for (const int line : {1, 2, 6}) {
    const std::string text = advised(line, kMarked);
    CHECK(text.find("there. That line is outside of your TODO. If its kernel was given, look at "
                    "what you pass to it") != std::string::npos);
    CHECK(text.find("\nkernel project, launched at graph.cu:4") != std::string::npos);
    CHECK(!says_guard(text));
  }
}

TEST_CASE("in the student's parts, and where nothing marks them, the guard is advised") {
  for (const int line : {3, 4, 5, 100}) CHECK(says_guard(advised(line, kMarked)));
  CHECK(says_guard(advised(1, "__global__ void project() {\n}\n")));
  CHECK(says_guard(advised(1, "")));
}
