// SPDX-License-Identifier: MIT
// Which compiler errors a student sees, and in which order.
#include <sstream>
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

TEST_CASE("the linker says what it does not find") {
  const std::string shown = errors_of(
      "/usr/bin/ld: cannot find -lcudart: No such file or directory\n"
      "collect2: error: ld returned 1 exit status\n");
  CHECK(comes_first(shown, "cannot find -lcudart", "collect2"));
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

TEST_CASE("paths that a compiler cache made relative are the student's file all the same") {
  const std::string shown = errors_of(
      "In file included from ../../topics/02-peaks/code/saxpy.cu:6:\n"
      "../../gpu/cpu/include/gpu/backend/launch.hpp: In instantiation of 'void run() [with T = "
      "int]':\n"
      "../../topics/02-peaks/code/saxpy.cu:42:28:   required from here\n"
      "../../gpu/cpu/include/gpu/backend/launch.hpp:87:23: error: invalid 'static_cast' from type "
      "'gpu::DeviceSpan<const float>' to type 'const float*'\n"
      "   87 |   const Stored stored(static_cast<Parameters>(arguments)...);\n");
  CHECK(shown.find("topics/02-peaks/code/saxpy.cu:42: what this line uses") == 0);
  CHECK(shown.find("../") == std::string::npos);
}

TEST_CASE("messages are broken between words, code is cut") {
  const std::string shown = errors_of(
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:42:29: error: 'a_rather_long_name' was not "
      "declared "
      "in this scope; did you mean 'another_rather_long_name'?\n"
      "   42 |   gpu::launch<saxpy_kernel>(a_rather_long_name, kThreads, n, a, x.data(), y.data(), "
      "z);\n"
      "      |                             ^~~~~~~~~~~~~~~~~~\n");
  std::istringstream in(shown);
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line); ++lines) CHECK(line.size() <= 76);
  CHECK(lines == 4);
  CHECK(shown.find("'a_rather_long_name' was") != std::string::npos);
  CHECK(shown.find("did you mean 'another_rather_long_name'?") != std::string::npos);
}
