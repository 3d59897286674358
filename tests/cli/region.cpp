// SPDX-License-Identifier: MIT
// Which lines of a file belong to an exercise.
#include "region.hpp"

#include <string>

#include "support/catch.hpp"

namespace {

const std::string kStarter =
    "head\n// TODO(90.a): first\nstub a1\n// END TODO(90.a)\nmiddle\n// TODO(90.b): other\nstub b\n"
    "// END TODO(90.b)\n  // TODO(90.a): second\n  stub a2\n  // END TODO(90.a)\ntail\n";
const std::string kSolved =
    "head\n// TODO(90.a): first\nmine 1\nmine 2\n// END TODO(90.a)\nmiddle\n// TODO(90.b): other\n"
    "mine b\n// END TODO(90.b)\n  // TODO(90.a): second\n// END TODO(90.a)\ntail, changed\n";

}  // namespace

TEST_CASE("resetting one exercise leaves everything else as it is") {
  const std::string fresh = cli::reset_regions(kSolved, kStarter, "90.a");
  CHECK(fresh.find("stub a1") != std::string::npos);
  CHECK(fresh.find("  stub a2") != std::string::npos);
  CHECK(fresh.find("mine 1") == std::string::npos);
  CHECK(fresh.find("mine b") != std::string::npos);
  CHECK(fresh.find("tail, changed") != std::string::npos);
  CHECK(cli::reset_regions(fresh, kStarter, "90.b").find("mine b") == std::string::npos);
}

TEST_CASE("lost marks are reported, not guessed") {
  std::string broken = kSolved;
  broken.erase(broken.find("// END TODO(90.b)"), 17);
  CHECK_THROWS_WITH(cli::reset_regions(broken, kStarter, "90.b"), Catch::Contains("--file"));
  CHECK_THROWS_WITH(cli::reset_regions("nothing\n", kStarter, "90.a"), Catch::Contains("--file"));
  CHECK_THROWS_WITH(cli::reset_regions(kSolved, kStarter, "90"), Catch::Contains("no part"));
}

TEST_CASE("an answer is emptied, and no other") {
  const std::string answers =
      "# text\n[\"90.a\"]\nvalue = \"1 B\" # note\n[\"90.ab\"]\nvalue = 2\n[\"90.b\"]\nvalue = 3\n";
  CHECK(cli::reset_answer(answers, "90.ab") ==
        "# text\n[\"90.a\"]\nvalue = \"1 B\" # note\n[\"90.ab\"]\nvalue = \"\"\n[\"90.b\"]\nvalue "
        "= 3\n");
  CHECK_THROWS_WITH(cli::reset_answer(answers, "90.c"), Catch::Contains("90.c"));
}

TEST_CASE("the solution is what stands before the stub") {
  const std::string solution =
      "head\n//@solve 90.a: do\nright\n//@stub\n//| wrong\n//@end\n//@solve 90.b: "
      "do\nother\n//@stub\n"
      "//@end\n//@solve 90.a: more\nalso right\n//@stub\n//@end\n";
  CHECK(cli::solution_of(solution, "90.a") == "right\n    ...\nalso right\n");
  CHECK(cli::solution_of(solution, "90.b") == "other\n");
  CHECK(cli::solution_of(solution, "90.speed").find("right") == 0);
}
