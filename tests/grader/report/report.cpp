// SPDX-License-Identifier: MIT
// Reports generated from one result model.
#include "grader/report/report.hpp"

#include <sstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

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

TEST_CASE("a passing verdict shows its details and what the program printed", "[report]") {
  const std::string text = grader::terminal_verdict(results().verdicts.front(), false);
  CHECK(text.find("xxx") != std::string::npos);
  CHECK(text.find("The program printed:\n  | line of output") != std::string::npos);
}

TEST_CASE("in a narrow terminal nothing is wider than it, and paths break behind slashes",
          "[report]") {
  grader::Verdict v = verdict("02.b", grader::Status::kFailed, 0);
  v.detail = "look at topics/02-peaks/code/a_lab_with_a_name.cu:41, where it is\n";
  const std::string text = grader::terminal_verdict(v, false, 40);
  CHECK(longest_line(text) <= 40);
  CHECK(text.find("  look at\n  topics/02-peaks/code/\n  a_lab_with_a_name.cu:41, where it is\n") !=
        std::string::npos);
}

TEST_CASE("a caret stays below what it points at", "[report]") {
  grader::Verdict v = verdict("02.b", grader::Status::kFailed, 0);
  v.detail =
      "topics/a.cu:42:40: error: 'z' was not declared\n"
      "   42 |   gpu::launch<kernel>(blocks, kThreads, n, z);\n"
      "      |                                            ^\n";
  for (const std::size_t columns : {80, 40, 30}) {
    const std::string text = grader::terminal_verdict(v, false, columns);
    CHECK(longest_line(text) <= columns);
    std::istringstream in(text);
    std::string code;
    std::string caret;
    for (std::string line; std::getline(in, line); code = caret) {
      caret = line;
      if (line.find("|") != std::string::npos && line.find('^') != std::string::npos) break;
    }
    INFO(text);
    REQUIRE(caret.find('^') < code.size());
    CHECK(code[caret.find('^')] == 'z');
  }
}

TEST_CASE("what an exercise shares with an earlier one is not shown twice", "[report]") {
  grader::Results r;
  for (const char* id : {"02.a", "02.b", "02.c"}) {
    r.verdicts.push_back(verdict(id, grader::Status::kFailed, 0));
    r.verdicts.back().message = "formulas does not compile";
    r.verdicts.back().detail = "formulas.cpp:7:3: error: 'z' was not declared\n    7 |   z\n";
  }
  r.verdicts.back().detail = "formulas.cpp:9:3: error: 'y' was not declared\n    9 |   y\n";
  CHECK(grader::last_terminal_verdict(r, false).find("'y' was not") != std::string::npos);
  r.verdicts.pop_back();
  const std::string text = grader::last_terminal_verdict(r, false);
  CHECK(text.find("'z' was not") == std::string::npos);
  CHECK(text.find("as for 02.a, above") != std::string::npos);
  r.verdicts.pop_back();
  CHECK(grader::last_terminal_verdict(r, false).find("'z' was not") != std::string::npos);
}

TEST_CASE("what an exercise adds to the words of an earlier one is shown", "[report]") {
  grader::Results r;
  for (const char* id : {"02.a", "02.b"}) {
    r.verdicts.push_back(verdict(id, grader::Status::kFailed, 0));
    r.verdicts.back().message = "data race, for n = 1";
    r.verdicts.back().detail = "thread (0,0,0) reads it\nkernel k, launched at k.cu:1\n";
  }
  r.verdicts.back().detail += "A kernel that 02.a refuses earns nothing for how it works.\n";
  const std::string text = grader::last_terminal_verdict(r, false);
  CHECK(text.find("thread (0,0,0)") == std::string::npos);
  CHECK(text.find("as for 02.a, above.\n  A kernel that 02.a refuses") != std::string::npos);
}

TEST_CASE("colour appears only when asked for", "[report]") {
  CHECK(grader::terminal_table(results(), false).find('\x1b') == std::string::npos);
  CHECK(grader::terminal_table(results(), true).find('\x1b') != std::string::npos);
}

TEST_CASE("what is not counted leaves the sum and its maximum alone", "[report]") {
  CHECK(results().points() == 4.5);
  CHECK(results().max_points() == 9);
}

TEST_CASE("what is only shown is not part of sum and maximum, whatever was found", "[report]") {
  grader::Results r = results();
  for (const auto status : {grader::Status::kPassed, grader::Status::kFailed,
                            grader::Status::kUnsolved, grader::Status::kCrashed}) {
    r.verdicts.push_back(only_shown(verdict("03.speed", status, 3)));
    CHECK(r.verdicts.back().max_points == 0);
    CHECK(r.verdicts.back().detail.ends_with("without a GPU speed is not judged."));
  }
  CHECK(r.points() == 4.5);
  CHECK(r.max_points() == 9);
  CHECK(grader::terminal_verdict(r.verdicts.back(), false).find("not graded") != std::string::npos);

  grader::Exercise exercise;
  exercise.fields = grader::SpeedExercise{};
  exercise.points = 3;
  CHECK(not_judged(exercise, "cpu", "nothing handed in").status == grader::Status::kShown);
  CHECK(not_judged(exercise, "cuda", "nothing handed in").status == grader::Status::kMissing);
  CHECK(not_judged(exercise, "cuda", "nothing handed in").max_points == 3);
}

TEST_CASE("a table of one run leaves out what another run judged", "[report]") {
  const support::TemporaryFolder folder;
  const auto write = [&](const std::string& id) {
    grader::Results one = results();
    one.verdicts = {verdict(id, grader::Status::kPassed, 3)};
    folder.write(id + ".json", grader::results_json(one));
  };
  write("01.old");
  write("02.new");
  folder.write("session", "");
  using std::chrono::seconds;
  const auto now = std::filesystem::last_write_time(folder.path / "session");
  std::filesystem::last_write_time(folder.path / "01.old.json", now - seconds(1));
  std::filesystem::last_write_time(folder.path / "02.new.json", now + seconds(1));
  CHECK(grader::read_results(folder.path).verdicts.size() == 2);
  const grader::Results run = grader::read_results(folder.path, folder.path / "session");
  REQUIRE(run.verdicts.size() == 1);
  CHECK(run.verdicts[0].id == "02.new");
}

TEST_CASE("JSON comes back as it was", "[report]") {
  const grader::Results back = grader::parse_results(grader::results_json(results()));
  REQUIRE(back.verdicts.size() == 4);
  CHECK(grader::results_json(back) == grader::results_json(results()));
  CHECK(back.verdicts[2].status == grader::Status::kInconclusive);
  CHECK(back.verdicts[3].points == 1.5);
}

TEST_CASE("bytes that are not UTF-8 do not break JSON", "[report]") {
  grader::Results r = results();
  r.verdicts[0].output = "\xff\xfe";
  CHECK_NOTHROW(grader::parse_results(grader::results_json(r)));
}

TEST_CASE("other JSON is refused", "[report]") {
  CHECK_THROWS(grader::parse_results("{}"));
  CHECK_THROWS(grader::parse_results("[1"));
}
