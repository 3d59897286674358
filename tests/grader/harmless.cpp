// SPDX-License-Identifier: MIT
// Text of a student's program on its way to a terminal or a report.
#include "grader/program/harmless.hpp"

#include "grader/kind/inputs.hpp"
#include "support/catch.hpp"

using grader::harmless;
using grader::harmless_line;

TEST_CASE("only brackets that CTest would read are replaced", "[harmless]") {
  CHECK(harmless("launch<kernel>: i < n") == "launch<kernel>: i < n\n");
  CHECK(harmless("<DartMeasurement>1</dartMeasurement>") ==
        "?DartMeasurement>1?/dartMeasurement>\n");
  CHECK(harmless("ends with <") == "ends with ?\n");
}

TEST_CASE("control characters and escape sequences do not reach a terminal", "[harmless]") {
  CHECK(harmless_line("\x1b[1;31mred\x1b[0m") == "red");
  CHECK(harmless_line("a\tb\nc\rd\ae\x7f") == "a b cd?e?");
  CHECK(harmless_line("\x1b]0;title\x07") == "?]0;title?");
  CHECK(harmless_line("cut \x1b[") == "cut ");
  CHECK(harmless_line("\xc2\x9b"
                      "31m") == "?31m");  // CSI in eight bits
}

TEST_CASE("UTF-8 stays, and what only looks like it does not", "[harmless]") {
  CHECK(harmless_line("gr\u00f6\u00dfer \u2264 2 \u00b5s \U0001F600") ==
        "gr\u00f6\u00dfer \u2264 2 \u00b5s \U0001F600");
  CHECK(harmless_line("\xff\xfe\xc3") == "???");
  CHECK(harmless_line("\xc0\xaf") == "??");            // overlong
  CHECK(harmless_line("\xed\xa0\x80") == "???");       // half of a pair
  CHECK(harmless_line("a\u202eb\u200bc") == "a?b?c");  // turns the direction; has no width
}

TEST_CASE("long text is cut, and says so", "[harmless]") {
  CHECK(harmless_line("12345", 5) == "12345");
  CHECK(harmless_line("123456", 5) == "12345...");
  CHECK(harmless_line("\u00f6\u00f6\u00f6", 2) == "\u00f6\u00f6...");
  CHECK(harmless(std::string(5000, 'c')).size() < 700);
  CHECK(harmless("1\n2\n3\n", 2) == "(earlier lines left out)\n2\n3\n");
  CHECK(harmless("1\n\n3\n", 3) == "1\n\n3\n");
  CHECK(harmless("").empty());
  CHECK(harmless(std::string(40'000'000, '\n')).size() < 100);
}

TEST_CASE("a value of a student's function is shown clean and short", "[harmless]") {
  CHECK(grader::describe_value(harness::Value("a\x1b[2Jb")) == "\"ab\"");
  CHECK(grader::describe_value(harness::Value(std::string(10000, 'x'))).size() < 100);
  const harness::Value::List many(5000, harness::Value(1));
  CHECK(grader::describe_value(harness::Value(many)).ends_with("1, ... 5000 in all}"));
}
