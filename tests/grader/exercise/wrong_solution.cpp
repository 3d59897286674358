// SPDX-License-Identifier: MIT
// Wrong solutions: hunks are applied where their lines are, and hunks that do not fit are reported.
#include "grader/exercise/wrong_solution.hpp"

#include <chrono>

#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const std::string kHeader =
    "// SPDX\n"
    "// Forgets y.\n"
    "// Refused: 02.f | failed | wrong\n";
const std::string kDerived = "// Derived: edit forgets_y.diff, not this file.\n";

/// "a
/// b
/// ..." with the hunks applied.
std::string applied(const std::string& solution, const std::string& hunks) {
  const std::string text = grader::apply_changes({"solutions/f.cu", solution},
                                                 {"wrong/forgets_y.diff", kHeader + hunks});
  REQUIRE(text.starts_with(kHeader + kDerived));
  return text.substr((kHeader + kDerived).size());
}

std::string failure(const std::string& solution, const std::string& changes) {
  try {
    grader::apply_changes({"solutions/f.cu", solution}, {"wrong/forgets_y.diff", changes});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

const std::string kAdded = R"(// head
//@solve 02.f: add them.
__global__ void f(float* y) {
  y[0] += 1;
}
//@stub
//| // y is yours
//@end

void launch() {
  //@solve 02.f: launch it.
  f(y);
  //@stub
  //| harness::unsolved("02.f", "README.md#f");
  //@end
}
)";

/// A checkout with one exercise of topic 02-test.
class WrongCheckout : public support::TemporaryFolder {
 public:
  WrongCheckout() {
    exercise.id = "02.f";
    exercise.topic = "02-test";
    exercise.program = "f";
    exercise.fields = grader::KernelExercise{};
    write("solutions/02-test/code/f.cu", kAdded);
    write("solutions/02-test/formulas.cpp", "//@solve 02.g: g.\nint g = 2;\n//@stub\n//@end\n");
  }
  void derive() const { grader::write_wrong_solutions(path, path / "tests/wrong/02-test/f", out); }

  grader::Exercise exercise;
  fs::path out = path / "build";
};

}  // namespace

TEST_CASE("a hunk goes where its lines are", "[wrong]") {
  CHECK(applied("a\nb\nc\n", "@@\n-b\n+B\n+BB\n") == "a\nB\nBB\nc\n");
  CHECK(applied("new\nlines\na\nb\nc\n", "@@\n-b\n+B\n") == "new\nlines\na\nB\nc\n");
  CHECK(applied("a\nb\nc\n", "@@\n-b\n") == "a\nc\n");
  CHECK(applied("a\nb\nc\n", "@@\n b\n+after\n") == "a\nb\nafter\nc\n");
  CHECK(applied("a\nb\nc\n", "@@\n+before\n b\n") == "a\nbefore\nb\nc\n");
}

TEST_CASE("neighbours tell equal lines apart", "[wrong]") {
  CHECK(applied("a\nx\nb\nx\n", "@@\n b\n-x\n+X\n") == "a\nx\nb\nX\n");
  CHECK(applied("a\nx\n\nx\nx\n", "@@\n-x\n+X\n \n x\n x\n") == "a\nX\n\nx\nx\n");
}

TEST_CASE("the first and the last lines can be changed", "[wrong]") {
  CHECK(applied("a\nb\nc\n", "@@\n-a\n+A\n") == "A\nb\nc\n");
  CHECK(applied("a\nb\nc\n", "@@\n-c\n+C\n") == "a\nb\nC\n");
  CHECK(applied("a\nb\nc", "@@\n-c\n+C") == "a\nb\nC\n");
  CHECK(applied("a\nb\nc\n", "@@\n c\n+d\n") == "a\nb\nc\nd\n");
}

TEST_CASE("several hunks are applied, in whatever order", "[wrong]") {
  CHECK(applied("a\nb\nc\nd\n", "@@\n-d\n@@\n-a\n+A\n\n@@\n b\n+b2\n") == "A\nb\nb2\nc\n");
  CHECK(applied("a\nb\n", "@@\n-a\n+A\n@@\n-b\n+B\n") == "A\nB\n");
}

TEST_CASE("an editor may end lines in its own way", "[wrong]") {
  CHECK(applied("a\r\nb\r\nc\r\n", "@@\r\n-b\r\n+B\r\n") == "a\nB\nc\n");
  CHECK(applied("a\r\n//@solve 02.f: b.\r\nb\r\n//@stub\r\n//| c\r\n//@end\r\n", "@@\n-b\n") ==
        "a\n// TODO(02.f): b.\n// END TODO(02.f)\n");
  // An editor removed the blank before an empty line, and the file ends in empty lines.
  CHECK(applied("a\n\nb\nc\n", "@@\n a\n\n-b\n+B\n\n\n") == "a\n\nB\nc\n");
}

TEST_CASE("regions are changed as a student would have solved them", "[wrong]") {
  CHECK(applied(kAdded, "@@\n-  y[0] += 1;\n+  y[0] = 1;\n") == R"(// head
// TODO(02.f): add them.
__global__ void f(float* y) {
  y[0] = 1;
}
// END TODO(02.f)

void launch() {
  // TODO(02.f): launch it.
  f(y);
  // END TODO(02.f)
}
)");
}

TEST_CASE("a hunk that the solution has outgrown says where and what to do", "[wrong]") {
  CHECK(failure("a\nb\nc\n", "// x\n@@\n-B\n+BB\n") ==
        "wrong/forgets_y.diff:3: solutions/f.cu has no line \"B\"; update the hunk");
  CHECK(failure("a\nb\nc\n", "// x\n@@\n a\n+a2\n-C\n") ==
        "wrong/forgets_y.diff:5: solutions/f.cu continues with \"b\", not with \"C\"; update the "
        "hunk");
  CHECK(failure("a\nb\n", "@@\n-b\n c\n").find(":3: solutions/f.cu continues with its end") !=
        std::string::npos);
  // The starter's text in place of the solution is not part of the solution.
  CHECK(failure(kAdded, "@@\n-// y is yours\n").find("has no line") != std::string::npos);
}

TEST_CASE("a hunk that fits twice asks for context", "[wrong]") {
  CHECK(failure("x\na\nx\nb\n", "@@\n-x\n+X\n")
            .find("wrong/forgets_y.diff:1: these lines occur 2 times in solutions/f.cu: add") == 0);
}

TEST_CASE("a hunk must change something, somewhere", "[wrong]") {
  CHECK(failure("a\n", "@@\n").find(":1: this hunk changes nothing") != std::string::npos);
  CHECK(failure("a\n", "@@\n a\n").find(":1: this hunk changes nothing") != std::string::npos);
  CHECK(failure("a\n", "@@\n-a\n+a\n").find(":1: this hunk changes nothing") != std::string::npos);
  CHECK(failure("a\n", "@@\n+b\n").find(":1: this hunk has no context") != std::string::npos);
  CHECK(failure("a\n", kHeader).find(":3: no line @@") != std::string::npos);
}

TEST_CASE("hunks must not overlap", "[wrong]") {
  CHECK(failure("a\nb\nc\n", "@@\n-a\n b\n@@\n-b\n-c\n") ==
        "wrong/forgets_y.diff:4: this hunk overlaps the one at line 1: merge them");
  CHECK_FALSE(failure("a\nb\n", "@@\n-a\n@@\n-a\n").empty());
}

TEST_CASE("a line that is neither header nor hunk is refused", "[wrong]") {
  CHECK(failure("a\n", "// x\n-a\n").find(":2: expected a comment of the header") !=
        std::string::npos);
  CHECK(failure("a\n", "@@\n-a\nb\n").find(":3: a line of a hunk begins with") !=
        std::string::npos);
}

TEST_CASE("changes become files, each written once", "[wrong]") {
  const WrongCheckout checkout;
  checkout.write("tests/wrong/02-test/f/one.diff", "@@\n-  y[0] += 1;\n");
  checkout.write("tests/wrong/02-test/f/whole.cu", "// all of it\n");
  checkout.derive();
  const fs::path one = checkout.out / "one.cu";
  CHECK(fs::exists(one));
  CHECK_FALSE(fs::exists(checkout.out / "whole.cu"));
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(one, old);
  const auto before = fs::last_write_time(one);
  checkout.derive();
  CHECK(fs::last_write_time(one) == before);
  checkout.write("solutions/02-test/code/f.cu", "// other head\n" + kAdded);
  checkout.derive();
  CHECK(base::read_file(one).find("// other head") != std::string::npos);
}

TEST_CASE("every file that does not fit is reported", "[wrong]") {
  const WrongCheckout checkout;
  checkout.write("tests/wrong/02-test/f/one.diff", "@@\n-x\n");
  checkout.write("tests/wrong/02-test/f/two.diff", "@@\n-z\n");
  CHECK_THROWS_WITH(checkout.derive(), Catch::Contains("one.diff:2: ") &&
                                           Catch::Contains("\"x\"") &&
                                           Catch::Contains("two.diff:2: "));
}

TEST_CASE("formulas have the one file of their topic", "[wrong]") {
  const WrongCheckout checkout;
  const fs::path wrong = checkout.path / "tests/wrong/02-test/formulas/one.diff";
  checkout.write("tests/wrong/02-test/formulas/one.diff", "// x\n@@\n-int g = 2;\n+int g = 1;\n");
  CHECK(grader::wrong_solution(checkout.path, wrong).find("int g = 1;\n") != std::string::npos);
}

TEST_CASE("a change of another right kernel names it", "[wrong]") {
  const WrongCheckout checkout;
  checkout.write("tests/honest/02-test/f.cu", "// plain\nint f = 2;\n");
  checkout.write("tests/wrong/02-test/f/one.diff",
                 "// x\n// Changes: tests/honest/02-test/f.cu\n@@\n-int f = 2;\n+int f = 3;\n");
  checkout.derive();
  const std::string whole = base::read_file(checkout.out / "one.cu");
  CHECK(whole.find("// plain\nint f = 3;\n") != std::string::npos);
  CHECK(whole.find("__global__") == std::string::npos);
}

TEST_CASE("a new wrong solution can be built at once", "[wrong]") {
  const WrongCheckout checkout;
  const fs::path file = grader::new_wrong_solution(checkout.path, checkout.exercise, "forgets_y");
  CHECK(file == checkout.path / "tests/wrong/02-test/f/forgets_y.diff");
  const std::string text = base::read_file(file);
  CHECK(text.find("// Refused: 02.f | failed | CHANGE") != std::string::npos);
  checkout.derive();
  const std::string derived = base::read_file(checkout.out / "forgets_y.cu");
  for (const char* line : {"  y[0] += 1;\n", "  f(y);\n", "// CHANGE: mark"}) {
    CHECK(text.find(line) != std::string::npos);
    CHECK(derived.find(line) != std::string::npos);
  }
  CHECK_THROWS_WITH(grader::new_wrong_solution(checkout.path, checkout.exercise, "forgets_y"),
                    Catch::Contains("exists already"));
}

TEST_CASE("an exercise without regions of its own may change all of the file's", "[wrong]") {
  WrongCheckout checkout;
  checkout.exercise.id = "02.f.speed";
  grader::new_wrong_solution(checkout.path, checkout.exercise, "too_slow");
  checkout.derive();
  CHECK(base::read_file(checkout.out / "too_slow.cu").find("CHANGE") != std::string::npos);
}

TEST_CASE("a number has its wrong answers elsewhere", "[wrong]") {
  WrongCheckout checkout;
  checkout.exercise.program.clear();
  checkout.exercise.fields = grader::NumberExercise{};
  CHECK_THROWS_WITH(grader::new_wrong_solution(checkout.path, checkout.exercise, "half"),
                    Catch::Contains("02.f has no program") && Catch::Contains("misconceptions"));
}
