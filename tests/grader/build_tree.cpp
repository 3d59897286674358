// SPDX-License-Identifier: MIT
// Which folders of the machine a build tree's commands need.
#include "grader/build_tree.hpp"

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
