// SPDX-License-Identifier: MIT
// answers.toml: one broken entry costs only itself.
#include "grader/exercise/answers.hpp"

#include "support/catch.hpp"

using grader::AnswerFile;

TEST_CASE("values are read with and without quotes", "[answers]") {
  const AnswerFile file = AnswerFile::parse(
      "# comment\n[\"02.a\"]\nvalue = \"1.5 GB/s\" # mine\n\n[\"02.b\"]\nvalue = 12 # bare\n"
      "[\"02.c\"]\nvalue = ''\n");
  CHECK(file.find("02.a")->text == "1.5 GB/s");
  CHECK(file.find("02.a")->line == 2);
  CHECK(file.find("02.b")->text == "12");
  CHECK(file.find("02.c")->text.empty());
  CHECK(file.find("02.d") == nullptr);
  CHECK(file.problem().empty());
}

TEST_CASE("a broken entry names line and column and leaves the others", "[answers]") {
  const AnswerFile file = AnswerFile::parse(
      "[\"02.a\"]\nvalue = \"1.5\n[\"02.b\"]\nvalue = 2\n[\"02.c\"]\nvaleu = 3\n");
  CHECK(file.find("02.a")->problem ==
        "answers.toml, line 2, column 9: the closing quote is missing");
  CHECK(file.find("02.b")->text == "2");
  CHECK(file.find("02.b")->problem.empty());
  CHECK(file.find("02.c")->problem.find("line 6") != std::string::npos);
}

TEST_CASE("a key or a table given twice is a problem of that entry", "[answers]") {
  const AnswerFile file = AnswerFile::parse(
      "[\"02.a\"]\nvalue = 1\nvalue = 2\n[\"02.b\"]\nvalue = 1\n[\"02.b\"]\nvalue = 2\n"
      "[\"02.c\"]\nvalue = 3\n");
  CHECK(file.find("02.a")->problem.find("twice") != std::string::npos);
  CHECK(file.find("02.b")->problem.find("first in line 4") != std::string::npos);
  CHECK(file.find("02.c")->problem.empty());
}

TEST_CASE("a value beyond any number's length is refused", "[answers]") {
  const AnswerFile file =
      AnswerFile::parse("[\"02.a\"]\nvalue = " + std::string(10'000'000, '9') + "\n");
  CHECK(file.find("02.a")->problem.find("too long") != std::string::npos);
}

TEST_CASE("a broken header does not give its value to another exercise", "[answers]") {
  const AnswerFile file = AnswerFile::parse("[\"02.a\"]\nvalue = 1\n[02.b]\nvalue = 2\n");
  CHECK(file.find("02.a")->text == "1");
  CHECK(file.find("02.a")->problem.empty());
  CHECK_FALSE(file.problem().empty());
}

TEST_CASE("a missing file has no answers", "[answers]") {
  CHECK(AnswerFile::read("/nonexistent/answers.toml").find("02.a") == nullptr);
}

TEST_CASE("what editors add around answers costs nothing", "[answers]") {
  const std::string bom = "\xef\xbb\xbf";
  const std::string nul(3, '\0');
  const AnswerFile file = AnswerFile::parse(
      bom + "[\"02.a\"] # not [\"02.x\"]\nvalue = \"1.5\tGB/s\"\r\n[\"02.b\"]\nvalue = 2\tGB\n" +
      nul);
  CHECK(file.problem().empty());
  REQUIRE(file.find("02.a") != nullptr);
  CHECK(file.find("02.a")->text == "1.5 GB/s");
  CHECK(file.find("02.b")->text == "2 GB");
  CHECK(file.find("02.b")->problem.empty());
}

TEST_CASE("blanks of typeset pages are blanks", "[answers]") {
  const AnswerFile file = AnswerFile::parse(
      "[\"02.a\"]\nvalue\u00a0= \"1.5\u00a0GB/s\"\n[\"02.b\"]\nvalue =\u202f2\u2009GB\u00a0\n"
      "[\"02.c\"]\nvalue = \"1\u202f/\u202f6\u00a0\"\n");
  CHECK(file.problem().empty());
  CHECK(file.find("02.a")->text == "1.5 GB/s");
  CHECK(file.find("02.b")->text == "2 GB");
  CHECK(file.find("02.c")->text == "1 / 6");
}

TEST_CASE("what word processors and web pages put into answers is as it was typed", "[answers]") {
  const AnswerFile file = AnswerFile::parse(
      "[\u201c02.a\u201d]\nvalue = \u201e1.5 GB/s\u201c\n[\"02.b\"]\nvalue = "
      "\u20182e\u22121\u2019\n"
      "[\"02.c\u200b\"]\nvalue = \"\ufeff3\u200b\"\n");
  CHECK(file.problem().empty());
  CHECK(file.ids() == std::set<std::string>{"02.a", "02.b", "02.c"});
  CHECK(file.find("02.a")->text == "1.5 GB/s");
  CHECK(file.find("02.b")->text == "2e-1");
  CHECK(file.find("02.c")->text == "3");
}

TEST_CASE("lines may end as on an old Macintosh", "[answers]") {
  const AnswerFile file = AnswerFile::parse("[\"02.a\"]\rvalue = \"1\"\r\r[\"02.b\"]\rvaleu = 2\r");
  CHECK(file.find("02.a")->text == "1");
  CHECK(file.find("02.b")->problem.find("line 5") != std::string::npos);
}

TEST_CASE("keys may be written in every way of TOML that fits one line", "[answers]") {
  const AnswerFile file = AnswerFile::parse(
      "[ \"02.a\" ] # mine\n\"value\" = 1\n['02.b']\nvalue = 2\n[\"02.c\"] value = "
      "3\n[\"02.d]\nvalue = 4\n");
  CHECK(file.ids() == std::set<std::string>{"02.a", "02.b"});
  CHECK(file.find("02.a")->text == "1");
  CHECK(file.find("02.b")->text == "2");
  CHECK(file.find("02.b")->problem.empty());
  CHECK(file.problem().find("line 5") != std::string::npos);
}

TEST_CASE("a file that is not UTF-8 gets a sentence", "[answers]") {
  std::string wide = "\xff\xfe";
  for (const char c : std::string("[\"02.a\"]\nvalue = \"1\"\n")) wide += {c, '\0'};
  const AnswerFile file = AnswerFile::parse(wide);
  CHECK(file.find("02.a") == nullptr);
  CHECK(file.problem() == "answers.toml is not plain text (UTF-16?); save it as UTF-8");
}
