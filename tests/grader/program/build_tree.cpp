// SPDX-License-Identifier: MIT
// Which folders of the machine a build tree's commands need, also for a tree whose path has a
// blank.
#include "grader/program/build_tree.hpp"

#include "grader/batch/submission.hpp"
#include "grader/program/recipe.hpp"
#include "grader/program/sandbox.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

/// A checkout, its build tree, and another prefix with a compiler and a library.
class Machine : public support::TemporaryFolder {
 public:
  Machine() {
    for (const char* file :
         {"prefix/gcc/bin/g++", "prefix/fmt/lib/libfmt.so", "prefix/fmt/include/f.h",
          "course/topics/a.cpp", "course/build/lib.a"}) {
      write(file, "");
    }
    write("course/build/CMakeCache.txt",
          "CMAKE_HOME_DIRECTORY:INTERNAL=" + (path / "course").string() +
              "\nCMAKE_MAKE_PROGRAM:FILEPATH=/usr/bin/ninja\n");
  }
  fs::path build() const { return path / "course/build"; }
  void arguments(const std::string& lines) {
    write("course/build/sdk/programs/02-x/saxpy.compile", lines);
  }
};

/// Links without a main(): a submission's functions are hidden, also its main().
constexpr const char* kLink = "/usr/bin/c++\n-r\n@OBJECT@\n-o\n@PROGRAM@\n";

}  // namespace

TEST_CASE("a recipe is filled in, and its options serve for something else") {
  const std::vector<std::string> compile = {"g++",      "-O3",        "-I@PLACE@/topics/x",
                                            "-MD",      "-MT",        "@OBJECT@",
                                            "-MF",      "@OBJECT@.d", "-o",
                                            "@OBJECT@", "-c",         "@PLACE@/topics/x/a.cu"};
  CHECK(grader::filled(compile, "/s", "a.o", "a") ==
        std::vector<std::string>{"g++", "-O3", "-I/s/topics/x", "-MD", "-MT", "a.o", "-MF", "a.o.d",
                                 "-o", "a.o", "-c", "/s/topics/x/a.cu"});
  CHECK(grader::options_of(compile) ==
        std::vector<std::string>{"g++", "-O3", "-I@PLACE@/topics/x"});
  const grader::Recipe recipe{{},
                              {"g++", "@OBJECT@", "/sdk/lib/librl_lab.a", "libx.a",
                               "/usr/lib/libdw.so.1", "-o", "@PROGRAM@"}};
  CHECK(recipe.libraries() == std::vector<fs::path>{"/sdk/lib/librl_lab.a", "/usr/lib/libdw.so.1"});
  const support::TemporaryFolder tree;
  CHECK_THROWS_WITH(grader::read_recipe(tree.path, "02-peaks", "saxpy"),
                    Catch::Contains("saxpy.compile is missing") && Catch::Contains("--target sdk"));
}

TEST_CASE("a build tree's cache is read by the name of the entry") {
  const Machine machine;
  CHECK(grader::cache_entry(machine.build(), "CMAKE_MAKE_PROGRAM") == "/usr/bin/ninja");
  CHECK(grader::cache_entry(machine.build(), "CMAKE_MAKE").empty());
  CHECK(grader::backend_of(machine.build()) == "cpu");
  CHECK(grader::source_of_build(machine.build()) == machine.path / "course");
  CHECK_THROWS_AS(grader::source_of_build(machine.path), std::runtime_error);
}

TEST_CASE("compilers and libraries of another prefix are found in the commands") {
  Machine machine;
  const std::string prefix = (machine.path / "prefix").string();
  machine.arguments(prefix + "/gcc/bin/g++\n-I" + prefix +
                    "/fmt/include\n-Wl,-rpath,/usr/lib:" + prefix + "/fmt/lib\n-ccbin=" + prefix +
                    "/gcc/bin/g++\n" + prefix + "/fmt/lib/libfmt.so\n");
  CHECK(grader::folders_outside(machine.build()) ==
        std::vector<fs::path>{prefix + "/fmt/include", prefix + "/fmt/lib", prefix + "/gcc"});
}

TEST_CASE("what the sandbox hides is not named") {
  Machine machine;
  const std::string place = machine.path.string();
  // The system's folders, the course and its tree, paths that do not exist, and parents of the
  // course.
  machine.arguments("g++\n/usr/bin/g++\n" + place + "/course/topics/a.cpp\n" + place +
                    "/course/build/lib.a\n" + place + "/nothing/there\n" + place +
                    "\n/\n/tmp\n-DNAME=\"" + place + "\"\na/" + place + "\n");
  CHECK(grader::folders_outside(machine.build()).empty());
}

TEST_CASE("a submission compiles where the course's path has a blank") {
  if (!grader::sandbox_available()) {
    WARN("bubblewrap does not work on this machine");
    return;
  }
  const support::TemporaryFolder machine;
  const fs::path root = machine.path / "my course";
  machine.write("my course/topics/01-one/code/sum.cu", "int main() { return 1; }\n");
  machine.write("my course/build/sdk/programs/01-one/sum.compile",
                "/usr/bin/c++\n-x\nc++\n-o\n@OBJECT@\n-c\n@PLACE@/topics/01-one/code/sum.cu\n");
  machine.write("my course/build/sdk/programs/01-one/sum.link", kLink);
  const grader::HandedInProgram program{
      "01-one", "sum", "01-one/code/sum.cu", {{"01-one/code/sum.cu", "int main() {}\n"}}};
  const grader::Course course{root, root / "build", nullptr, {}};
  const fs::path work = machine.path / "a student";
  CHECK(grader::compile_program(program, course, work).errors == "");
  CHECK(fs::exists(work / "build/bin/01-one/sum"));

  // A program that compiles is not run for that reason alone.
  grader::HandedInProgram own = program;
  own.files[own.source] = "extern \"C\" int getpid() { return 1; }\nint main() {}\n";
  const grader::CompileResult refused = grader::compile_program(own, course, machine.path / "b");
  CHECK(refused.errors == "");
  CHECK(refused.refusal.find("it defines getpid") == 0);
  CHECK_FALSE(fs::exists(machine.path / "b/build/bin/01-one/sum"));

  // Compiling the course's own starter shows whose fault it is.
  CHECK_NOTHROW(grader::require_compiler(program, course, work, ""));
  machine.write("my course/topics/01-one/code/sum.cu", "#error lost\n");
  CHECK_THROWS_WITH(grader::require_compiler(program, course, work, ""),
                    Catch::Contains("starter"));
}

TEST_CASE("a kernel that does not compile with numbers that count is checked without them") {
  if (!grader::sandbox_available()) {
    WARN("bubblewrap does not work on this machine");
    return;
  }
  const support::TemporaryFolder course_folder;
  const fs::path build = course_folder.path / "build";
  const std::string programs = "build/sdk/programs/01-one/sum";
  const std::string compile =
      "/usr/bin/c++\n-x\nc++\n-o\n@OBJECT@\n-c\n@PLACE@/topics/01-one/code/sum.cu\n";
  course_folder.write("topics/01-one/code/sum.cu", "int main() {}\n");
  course_folder.write("build/CMakeCache.txt", "ROOFLINE_CAN_CHECK_KERNELS:INTERNAL=ON\n");
  course_folder.write(programs + ".compile", compile);
  course_folder.write(programs + "-checked.compile", compile + "-DCHECKED\n");
  course_folder.write(programs + ".link", kLink);
  course_folder.write(programs + "-checked.link", kLink);
  const std::string begin =
      "template <class T> struct Counting { explicit operator T() const { return 1; } };\n"
      "#if defined(CHECKED) && !defined(HARNESS_PLAIN_NUMBERS_ONLY)\n"
      "using T = Counting<float>;\n#else\nusing T = float;\n#endif\n";
  const auto hand_in = [&](const std::string& source) {
    return grader::HandedInProgram{
        "01-one", "sum", "01-one/code/sum.cu", {{"01-one/code/sum.cu", begin + source}}};
  };
  const grader::Course course{course_folder.path, build, nullptr, {}};
  const fs::path bin = course_folder.path / "work/build/bin/01-one";

  const grader::CompileResult right = grader::compile_program(hand_in("int main() { T(); }\n"),
                                                              course, course_folder.path / "work");
  CHECK(right.errors == "");
  CHECK(right.uncounted == "");
  CHECK(fs::exists(bin / "sum-checked"));

  fs::remove_all(course_folder.path / "work");
  const grader::CompileResult plain = grader::compile_program(
      hand_in("int main() { float own = T(); }\n"), course, course_folder.path / "work");
  CHECK(plain.errors == "");
  CHECK(plain.uncounted.find("write T where you wrote float") != std::string::npos);
  CHECK(fs::exists(bin / "sum"));
  CHECK(fs::exists(bin / "sum-checked-plain"));
  CHECK_FALSE(fs::exists(bin / "sum-checked"));

  const grader::CompileResult wrong = grader::compile_program(
      hand_in("int main() { return nothing; }\n"), course, course_folder.path / "work");
  CHECK(wrong.errors.find("nothing") != std::string::npos);
  CHECK(wrong.uncounted == "");
}
