// SPDX-License-Identifier: MIT
// Finds parameter names in source text.
#include "grader/program/signature.hpp"

#include "support/catch.hpp"

using grader::parameters_of;

namespace {

std::string names_of(std::string_view source, std::string_view function) {
  std::string names;
  for (const auto& parameter : parameters_of(source, function)) names += parameter.name + " ";
  return names;
}

}  // namespace

TEST_CASE("the names come from the definition, not from calls or comments", "[signature]") {
  const std::string source =
      "// saxpy(wrong) {\n"
      "/* void saxpy(int wrong) {} */\n"
      "const char* text = \"saxpy(no) {\";\n"
      "__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x) {}\n"
      "void saxpy(float a, gpu::DeviceSpan<const float> x,\n"
      "           gpu::DeviceSpan<float> y) { saxpy(other); }\n"
      "HARNESS_LAB(saxpy, {.flops_per_element = 2})\n";
  CHECK(names_of(source, "saxpy") == "a x y ");
  CHECK(names_of(source, "saxpy_kernel") == "n a x ");
  CHECK(parameters_of(source, "saxpy_kernel")[2].declaration == "const float* x");
  CHECK(names_of(source, "axpy").empty());
  CHECK(names_of(source, "missing").empty());
}

TEST_CASE("templates, arrays, defaults and missing names", "[signature]") {
  CHECK(names_of("template <class T> void f(Pair<T, int> p, T q[4], int r = g(1, 2)) {}", "f") ==
        "p q r ");
  CHECK(parameters_of("void f(float) {}", "f")[0].name.empty());
  CHECK(names_of("void f() {}", "f").empty());
}

TEST_CASE("what no compiler would take costs no time", "[signature]") {
  std::string nested;
  for (int i = 0; i < 300000; ++i) nested += "f(";
  CHECK(parameters_of(nested, "f").empty());
  CHECK(parameters_of("f(\"", "f").empty());
  CHECK(parameters_of("void f(int a", "f").empty());
}
