// SPDX-License-Identifier: MIT
// Reports from one result model.
#include "grader/report.hpp"

#include <sstream>

#include "support/catch.hpp"

namespace {

grader::Verdict verdict(const std::string& id, grader::Status status, double points) {
  grader::Verdict v;
  v.id = id;
  v.title = "A title that is longer than its column in the table of scores";
  v.topic = id.substr(0, 2) + "-test";
  v.kind = grader::Kind::kKernel;
  v.status = status;
  v.points = points;
  v.max_points = 3;
  v.message = "wrong for n = 257, and this sentence goes on until it must be broken into lines";
  v.detail = std::string(300, 'x');
  v.output = "line of output\n";
  v.read = "topics/02-test/README.md#saxpy";
  v.seed = 42;
  return v;
}

grader::Results results() {
  grader::Results r;
  r.verdicts = {verdict("02.a", grader::Status::kPassed, 3),
                verdict("02.b", grader::Status::kFailed, 0),
                verdict("02.c", grader::Status::kInconclusive, 0),
                verdict("03.d", grader::Status::kPartial, 1.5)};
  return r;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace

TEST_CASE("nothing on the terminal is wider than 80 columns", "[report]") {
  for (const grader::Verdict& v : results().verdicts) {
    CHECK(longest_line(grader::terminal_verdict(v, false)) <= 80);
  }
  CHECK(longest_line(grader::terminal_table(results(), false)) <= 80);
}

TEST_CASE("a passing verdict shows its details, and not what the program printed", "[report]") {
  const std::string text = grader::terminal_verdict(results().verdicts.front(), false);
  CHECK(text.find("xxx") != std::string::npos);
  CHECK(text.find("line of output") == std::string::npos);
}

TEST_CASE("colour appears only when asked for", "[report]") {
  CHECK(grader::terminal_table(results(), false).find('\x1b') == std::string::npos);
  CHECK(grader::terminal_table(results(), true).find('\x1b') != std::string::npos);
}

TEST_CASE("what is not counted leaves the sum and its maximum alone", "[report]") {
  CHECK(results().points() == 4.5);
  CHECK(results().max_points() == 9);
}

TEST_CASE("JSON comes back as it was", "[report]") {
  const grader::Results back = grader::parse_results(grader::results_json(results()));
  REQUIRE(back.verdicts.size() == 4);
  CHECK(grader::results_json(back) == grader::results_json(results()));
  CHECK(back.verdicts[2].status == grader::Status::kInconclusive);
  CHECK(back.verdicts[3].points == 1.5);
}

TEST_CASE("bytes that are no UTF-8 do not break JSON", "[report]") {
  grader::Results r = results();
  r.verdicts[0].output = "\xff\xfe";
  CHECK_NOTHROW(grader::parse_results(grader::results_json(r)));
}

TEST_CASE("other JSON is refused", "[report]") {
  CHECK_THROWS(grader::parse_results("{}"));
  CHECK_THROWS(grader::parse_results("[1"));
}
