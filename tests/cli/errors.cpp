// SPDX-License-Identifier: MIT
// Which compiler errors a student sees, and in which order.
#include <string>

#include "grader/build.hpp"
#include "support/catch.hpp"

namespace {

std::string errors_of(const std::string& output) {
  return grader::first_errors(output, "/home/me/labs");
}

bool comes_first(const std::string& text, const std::string& first, const std::string& second) {
  return text.find(first) < text.find(second) && text.find(second) != std::string::npos;
}

}  // namespace

TEST_CASE("errors in the student's file come first, with short paths") {
  const std::string shown = errors_of(
      "/home/me/labs/gpu/include/gpu/span.hpp:10:3: error: header trouble\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:12:5: error: expected ';'\n"
      "   12 |   y[i] = a\n      |     ^\n");
  CHECK(comes_first(shown, "topics/02-peaks/code/saxpy.cu:12:5: error", "header trouble"));
  CHECK(shown.find("/home/me") == std::string::npos);
  CHECK(shown.find("y[i] = a") != std::string::npos);
}

TEST_CASE("an error deep in a template is told as the student's line that led there (GCC)") {
  const std::string shown = errors_of(
      "/home/me/labs/gpu/cpu/include/gpu/launch.hpp: In instantiation of 'void run() [with T = "
      "int]':\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:30:9:   required from here\n"
      "/home/me/labs/gpu/cpu/include/gpu/launch.hpp:88:7: error: no match for call\n"
      "/home/me/labs/gpu/cpu/include/gpu/launch.hpp:80:7: note: candidate: a very long one\n");
  CHECK(shown.find("topics/02-peaks/code/saxpy.cu:30") == 0);
  CHECK(shown.find("no match for call") != std::string::npos);
  CHECK(shown.find("note:") == std::string::npos);
}

TEST_CASE("the same with clang, which says it afterwards") {
  const std::string shown = errors_of(
      "/home/me/labs/gpu/cpu/include/gpu/launch.hpp:88:7: error: no matching function\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:30:9: note: in instantiation of function "
      "template "
      "specialization 'run<int>' requested here\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:31:9: error: use of undeclared identifier "
      "'z'\n");
  CHECK(shown.find("topics/02-peaks/code/saxpy.cu:30") == 0);
  CHECK(shown.find("undeclared identifier") != std::string::npos);
}
