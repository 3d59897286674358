// SPDX-License-Identifier: MIT
// Text of a student's program before it is shown in a terminal or a report.
#include "grader/program/sanitize.hpp"

#include "grader/kind/inputs.hpp"
#include "support/catch.hpp"

using grader::sanitize_line;
using grader::sanitize_output;

TEST_CASE("only brackets that CTest would read are replaced", "[sanitize]") {
  CHECK(sanitize_output("launch<kernel>: i < n") == "launch<kernel>: i < n\n");
  CHECK(sanitize_output("<DartMeasurement>1</dartMeasurement>") ==
        "?DartMeasurement>1?/dartMeasurement>\n");
  CHECK(sanitize_output("ends with <") == "ends with ?\n");
}

TEST_CASE("control characters and escape sequences do not reach a terminal", "[sanitize]") {
  CHECK(sanitize_line("\x1b[1;31mred\x1b[0m") == "red");
  CHECK(sanitize_line("a\tb\nc\rd\ae\x7f") == "a b cd?e?");
  CHECK(sanitize_line("\x1b]0;title\x07") == "?]0;title?");
  CHECK(sanitize_line("cut \x1b[") == "cut ");
  CHECK(sanitize_line("\xc2\x9b"
                      "31m") == "?31m");  // CSI as a single C1 character
}

TEST_CASE("UTF-8 stays, and what only looks like it does not", "[sanitize]") {
  CHECK(sanitize_line("gr\u00f6\u00dfer \u2264 2 \u00b5s \U0001F600") ==
        "gr\u00f6\u00dfer \u2264 2 \u00b5s \U0001F600");
  CHECK(sanitize_line("\xff\xfe\xc3") == "???");
  CHECK(sanitize_line("\xc0\xaf") == "??");            // overlong encoding
  CHECK(sanitize_line("\xed\xa0\x80") == "???");       // half of a surrogate pair
  CHECK(sanitize_line("a\u202eb\u200bc") == "a?b?c");  // turns the direction; has no width
}

TEST_CASE("long text is cut, and says so", "[sanitize]") {
  CHECK(sanitize_line("12345", 5) == "12345");
  CHECK(sanitize_line("123456", 5) == "12345...");
  CHECK(sanitize_line("\u00f6\u00f6\u00f6", 2) == "\u00f6\u00f6...");
  CHECK(sanitize_output(std::string(5000, 'c')).size() < 700);
  CHECK(sanitize_output("1\n2\n3\n", 2) == "(earlier lines left out)\n2\n3\n");
  CHECK(sanitize_output("1\n\n3\n", 3) == "1\n\n3\n");
  CHECK(sanitize_output("").empty());
  CHECK(sanitize_output(std::string(40'000'000, '\n')).size() < 100);
}

TEST_CASE("a value of a student's function is shown clean and short", "[sanitize]") {
  CHECK(grader::describe_value(harness::Value("a\x1b[2Jb")) == "\"ab\"");
  CHECK(grader::describe_value(harness::Value(std::string(10000, 'x'))).size() < 100);
  const harness::Value::List many(5000, harness::Value(1));
  CHECK(grader::describe_value(harness::Value(many)).ends_with("1, ... 5000 in all}"));
}
