// SPDX-License-Identifier: MIT
// Which folders of the machine a build tree's commands need, and a tree in a folder with a blank.
#include "grader/build_tree.hpp"

#include "grader/sandbox.hpp"
#include "grader/submission.hpp"
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
    write("course/build/build.ninja", "");
  }
  fs::path build() const { return path / "course/build"; }
  void commands(const std::string& text) { write("course/build/build.ninja", text); }
};

}  // namespace

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
  machine.commands("COMMAND = " + prefix + "/gcc/bin/g++ -I" + prefix +
                   "/fmt/include -Wl,-rpath,/usr/lib:" + prefix + "/fmt/lib -ccbin=" + prefix +
                   "/gcc/bin/g++ " + prefix + "/fmt/lib/libfmt.so");
  CHECK(grader::folders_outside(machine.build()) ==
        std::vector<fs::path>{prefix + "/fmt/include", prefix + "/fmt/lib", prefix + "/gcc"});
}

TEST_CASE("what the sandbox hides is not named") {
  Machine machine;
  const std::string place = machine.path.string();
  // The system's folders, the course and its tree, what does not exist, and what holds the course.
  machine.commands("g++ /usr/bin/g++ " + place + "/course/topics/a.cpp " + place +
                   "/course/build/lib.a " + place + "/nothing/there " + place +
                   " / /tmp -DNAME=\"" + place + "\" a/" + place);
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
  machine.write("my course/build/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=" + root.string() +
                                                      "\nCMAKE_MAKE_PROGRAM:FILEPATH=" RL_NINJA
                                                      "\n");
  // Ninja puts a path with a blank between quotes, as CMake does.
  machine.write("my course/build/build.ninja",
                "rule compile\n  command = c++ -o $out -x c++ -c $in\n"
                "rule link\n  command = : && c++ $in -o $out  && :\n"
                "build sum.o: compile " +
                    (machine.path / "my$ course/topics/01-one/code/sum.cu").string() +
                    "\nbuild bin/01-one/sum: link sum.o\n"
                    "build 01-one-sum: phony bin/01-one/sum\n");
  const grader::HandedInProgram program{
      "01-one", "sum", "01-one/code/sum.cu", {{"01-one/code/sum.cu", "int main() {}\n"}}};
  const grader::Course course{root, root, root / "build", nullptr, {}};
  const fs::path work = machine.path / "a student";
  CHECK(grader::compile_program(program, course, work).errors == "");
  CHECK(fs::exists(work / "build/bin/01-one/sum"));

  // What the compiler takes is not run for that reason alone.
  grader::HandedInProgram own = program;
  own.files[own.source] = "extern \"C\" int getpid() { return 1; }\nint main() {}\n";
  const grader::CompileResult refused = grader::compile_program(own, course, machine.path / "b");
  CHECK(refused.errors == "");
  CHECK(refused.refusal.find("it defines getpid") == 0);
  CHECK_FALSE(fs::exists(machine.path / "b/build/bin/01-one/sum"));

  // Whose mistake it is, the course's own starter tells.
  CHECK_NOTHROW(grader::require_compiler(program, course, work));
  machine.write("my course/topics/01-one/code/sum.cu", "#error lost\n");
  CHECK_THROWS_WITH(grader::require_compiler(program, course, work), Catch::Contains("starter"));
}
