// SPDX-License-Identifier: MIT
// Starters: derived from solutions, and nothing else.
#include "grader/exercise/starter.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const std::string kTwo = R"(// head
int f() {
  //@solve 02.f: return two.
  return 2;
  //@stub
  //| harness::unsolved("02.f", "README.md#f");
  //|
  //|   indented();
  //@end
}
)";
const std::string kTwoStarter = R"(// head
int f() {
  // TODO(02.f): return two.
  harness::unsolved("02.f", "README.md#f");

    indented();
  // END TODO(02.f)
}
)";

std::string failure(const std::string& solution) {
  try {
    grader::derive_starter(solution, "f.cpp");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

class StarterCheckout : public support::TemporaryFolder {
 public:
  StarterCheckout() { fs::create_directories(path / "topics" / "02-test"); }
};

}  // namespace

TEST_CASE("a region becomes a TODO with the stub", "[starter]") {
  CHECK(grader::derive_starter(kTwo, "f.cpp") == kTwoStarter);
  CHECK(grader::derive_starter("#@solve 02.x: set it\nx = 1\n#@stub\n#| x = 0\n#@end\n",
                               "x.toml") == "# TODO(02.x): set it\nx = 0\n# END TODO(02.x)\n");
  CHECK(grader::count_regions(kTwo, "f.cpp") == 1);
}

TEST_CASE("a marker that does not fit names its line", "[starter]") {
  CHECK(failure("//@solve 02.f\n").find("f.cpp:1: expected @solve ID: task") == 0);
  CHECK(failure("//@solve 02.f: a\n//@solve 02.g: b\n").find("f.cpp:2:") == 0);
  CHECK(failure("//@solve 02.f: a\nx\n").find("no @end") != std::string::npos);
  CHECK(failure("//@solve 02.f: a\n//@end\n").find("f.cpp:2: @end without @stub") == 0);
  CHECK(failure("//@stub\n").find("f.cpp:1:") == 0);
  CHECK(failure("//@solve 02.f: a\n//@stub\ncode();\n").find("f.cpp:3: a stub line") == 0);
  CHECK(failure("//@sovle 02.f: a\n").find("unknown marker") != std::string::npos);
}

TEST_CASE("check finds differences, missing and stray files", "[starter]") {
  const StarterCheckout checkout;
  checkout.write("solutions/02-test/formulas.cpp", kTwo);
  checkout.write("solutions/02-test/code/a.cu", kTwo);
  checkout.write("solutions/02-test/answers.cpp", "int no_regions;\n");
  checkout.write("topics/02-test/formulas.cpp", kTwoStarter + "// edited\n");
  checkout.write("topics/02-test/code/stray.cu", "x\n");
  const std::vector<std::string> differences = grader::check_starters(checkout.path);
  REQUIRE(differences.size() == 3);
  CHECK(differences[0] == "topics/02-test/code/a.cu: missing");
  CHECK(differences[1] == "topics/02-test/formulas.cpp: differs from its solution at line 9");
  CHECK(differences[2] == "topics/02-test/code/stray.cu: stray, it has no solution");
  CHECK(grader::write_starters(checkout.path).size() == 2);
  CHECK(grader::check_starters(checkout.path).size() == 1);
  CHECK(grader::write_starters(checkout.path).empty());
}

TEST_CASE("no solution at all, or one without a region, is an error", "[starter]") {
  const StarterCheckout checkout;
  CHECK_THROWS_WITH(grader::check_starters(checkout.path), Catch::Contains("no solutions"));
  checkout.write("solutions/02-test/formulas.cpp", "int f() { return 2; }\n");
  CHECK_THROWS_WITH(grader::check_starters(checkout.path), Catch::Contains("no //@solve region"));
}

TEST_CASE("answers.toml asks for every number and choice", "[starter]") {
  grader::Topic topic;
  topic.name = "02-test";
  grader::Exercise number;
  number.id = "02.n";
  number.title = "N";
  number.task = "How many?";
  number.as<grader::NumberExercise>().unit = "GB";
  grader::Exercise choice = number;
  choice.id = "02.c";
  choice.fields = grader::ChoiceExercise{{"memory", "compute"}, false, {}};
  topic.exercises = {number, choice};
  const std::string text = grader::starter_answers(topic);
  CHECK(text.find("# N. How many?\n# Answer: in GB, exact\n[\"02.n\"]\nvalue = \"\"\n") !=
        std::string::npos);
  CHECK(text.find("# Answer: memory or compute\n[\"02.c\"]") != std::string::npos);
}
