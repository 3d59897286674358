// SPDX-License-Identifier: MIT
// ./lab profile with a stand-in program that returns a recorded profile.
#include "commands/profile.hpp"

#include <nlohmann/json.hpp>

#include "course_copy.hpp"
#include "roofline/machine.hpp"
#include "roofline/profile.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

namespace {

using Catch::Contains;
using namespace cli_test;
namespace fs = std::filesystem;

/// A test course with the machines, and a checked program for its SAXPY.
class ProfiledCourse : public CourseCopy {
 public:
  ProfiledCourse() {
    fs::create_directory_symlink(fs::path(RL_SOURCE) / "data", root() / "data");
    fs::remove(build() / "bin");
    fs::create_directories(program().parent_path());
    const auto machine = roofline::load_machine(root() / "data/machines/h200-sxm.toml");
    const vgpu::Geometry geometry = roofline::geometry_of(machine);
    write_text(root() / "found.json",
               vgpu::to_json(vgpu::Profile{geometry, {launches::saxpy(geometry, 1 << 22)}}));
    program_is("echo \"$@\" >'" + (root() / "asked").string() + "'\n" +
               writing((root() / "found.json").string()));
  }

  /// A command that copies a file to the one after --out, without starting another process, which
  /// is forbidden.
  static std::string writing(const std::string& file) {
    return "while [ $# -gt 0 ]; do\n  if [ \"$1\" = --out ]; then\n    while IFS= read -r line; do "
           "printf '%s\\n' \"$line\"; done <'" +
           file + "' >\"$2\"\n  fi\n  shift\ndone\n";
  }

  fs::path program() const { return build() / "bin" / "90-course" / "saxpy-checked"; }
  void program_is(const std::string& script) const {
    write_text(program(), "#!/bin/sh\n" + script);
    fs::permissions(program(), fs::perms::owner_all);
  }
  std::string asked() const { return read_text(root() / "asked"); }
};

grader::Exercise exercise(const char* id, const char* entry, std::int64_t size,
                          std::vector<std::int64_t> sizes) {
  grader::Exercise result;
  result.id = id;
  result.topic = "90-course";
  result.program = "kernels";
  result.entry = entry;
  if (size > 0) {
    grader::SpeedExercise speed;
    speed.size = {size, size};
    result.fields = std::move(speed);
  } else {
    result.fields = grader::KernelExercise{std::move(sizes)};
  }
  return result;
}

}  // namespace

TEST_CASE("profile shows the page of the chosen machine") {
  const ProfiledCourse course;
  const Ran shown = run(course.lab({"profile", "90.saxpy"}));
  CHECK(shown.status == 0);
  CHECK_THAT(shown.shown, Contains("NVIDIA H200 SXM, virtual") && Contains("Occupancy") &&
                              Contains("Source: kernel.cu") && Contains("Advice"));
  CHECK_THAT(course.asked(), Contains("--profile --geometry ") && Contains("--entry saxpy --n "));
  CHECK_THAT(course.asked(), !Contains("--registers"));
  CHECK_THAT(read_text(course.root() / ".lab/profile/geometry.json"), Contains("h200-sxm"));

  const Ran other = run(
      course.lab({"profile", "90.saxpy", "--machine", "mi300x", "--n", "77", "--registers", "40"}));
  CHECK(other.status == 0);
  CHECK_THAT(other.shown, Contains("MI300X") && Contains("not measured"));
  CHECK_THAT(course.asked(), Contains("--n 77 ") && Contains("--registers 40"));
  CHECK_THAT(read_text(course.root() / ".lab/profile/geometry.json"), Contains("mi300x"));

  const Ran part = run(course.lab({"profile", "90.saxpy", "--multiprocessors", "8"}));
  CHECK(part.status == 0);
  CHECK_THAT(shown.shown, !Contains("loops cost nothing"));
  CHECK_THAT(part.shown, Contains("loops cost nothing"));
  const auto geometry =
      nlohmann::json::parse(read_text(course.root() / ".lab/profile/geometry.json"));
  CHECK(geometry["multiprocessors"] == 8);
}

TEST_CASE("profile in other forms, and beside a real one") {
  const ProfiledCourse course;
  const auto json =
      nlohmann::json::parse(run(course.lab({"profile", "90.saxpy", "--json"}), 9999).shown);
  CHECK(json.at("schema") == "roofline.kernel_report");
  const Ran csv = run(course.lab({"profile", "90.saxpy", "--csv"}), 9999);
  write_text(course.root() / "ncu.csv", csv.shown);
  CHECK(roofline::import_profile(course.root() / "ncu.csv").complete());
  const Ran compared =
      run(course.lab({"profile", "90.saxpy", "--compare", (course.root() / "ncu.csv").string()}));
  CHECK(compared.status == 0);
  CHECK_THAT(compared.shown, Contains("load sectors") && Contains("1.000"));
  const std::string page = (course.root() / "page.html").string();
  if (fs::exists("/usr/share/javascript/chart.js/chart.min.js")) {
    CHECK_THAT(run(course.lab({"profile", "90.saxpy", "--html", page})).shown, Contains("Written"));
    CHECK_THAT(read_text(page), Contains("saxpy_kernel") && Contains("virtual"));
  }
}

TEST_CASE("what cannot be profiled is refused in one sentence") {
  const ProfiledCourse course;
  const auto said = [&](std::vector<std::string> arguments, int status = 1) {
    arguments.insert(arguments.begin(), "profile");
    const Ran ran = run(course.lab(arguments));
    CHECK(ran.status == status);
    return ran.shown;
  };
  CHECK_THAT(said({"90.intensity"}), Contains("no kernel to profile"));
  CHECK_THAT(said({"90.attainable"}), Contains("no kernel to profile"));
  CHECK_THAT(said({"mine/kernel.cu"}), Contains("there is no file mine/kernel.cu"));
  CHECK_THAT(said({"90.saxpy", "--entry", "saxpy"}), Contains("in a file of your own"));
  CHECK_THAT(said({"90.saxpi"}), Contains("did you mean"));
  CHECK_THAT(said({"90.saxpy", "--machine", "h300"}), Contains("h200-sxm"));
  CHECK_THAT(said({"90.saxpy", "--machine", "t4"}), Contains("cannot be a virtual GPU"));
  CHECK_THAT(said({"90.saxpy", "--n", "-1"}, 2), Contains("--n"));
  CHECK_THAT(said({"90.saxpy", "--json", "--csv"}, 2), Contains("see ./lab profile --help"));
  CHECK_THAT(said({"90.saxpy", "--compare", "/nowhere.csv"}), Contains("/nowhere.csv"));

  course.program_is("echo 'unsolved: 90.saxpy'; exit 3\n");
  CHECK_THAT(said({"90.saxpy"}), Contains("unsolved: 90.saxpy"));
  course.program_is("exit 0\n");  // writes no profile
  CHECK_THAT(said({"90.saxpy"}), Contains("90.saxpy wrote no profile"));
  course.program_is("exit 3\n");
  CHECK_THAT(said({"90.saxpy"}), Contains("could not be profiled (exit status 3)"));
  write_text(course.root() / "found.json", "{}");
  course.program_is(ProfiledCourse::writing((course.root() / "found.json").string()));
  CHECK_THAT(said({"90.saxpy"}), Contains("not a profile"));
  fs::remove(course.program());
  CHECK_THAT(said({"90.saxpy"}), Contains("is not built"));
}

namespace {

const fs::path kPackage = fs::path(RL_BUILD) / "sdk";

/// A kernel file in a folder with a blank in its name, with parts of its text replaced.
class OwnKernel {
 public:
  explicit OwnKernel(const ProfiledCourse& course) : course_(course) {
    fs::create_directory_symlink(kPackage, course.build() / "sdk");
  }

  Ran profiled(const std::string& old_text = {}, const std::string& new_text = {},
               std::vector<std::string> options = {"--n", "65536"}) const {
    std::string text = read_text(fs::path(RL_SOURCE) / "tests/package/own_kernel/scale.cu");
    if (!old_text.empty()) {
      REQUIRE(text.find(old_text) != std::string::npos);
      text.replace(text.find(old_text), old_text.size(), new_text);
    }
    const fs::path file = course_.root() / "my kernels" / "scale.cu";
    fs::create_directories(file.parent_path());
    write_text(file, text);
    options.insert(options.begin(), {"profile", file.string()});
    return run(course_.lab(options), 160);
  }

 private:
  const ProfiledCourse& course_;
};

}  // namespace

TEST_CASE("a kernel file of the user's own is profiled") {
  if (!fs::exists(kPackage / "programs/own/kernel-checked.compile")) {
    SUCCEED("this build has no checked kernels");
    return;
  }
  const ProfiledCourse course;
  const OwnKernel kernel(course);
  const Ran shown = kernel.profiled();
  CHECK(shown.status == 0);
  // 65536 floats are 2048 warps; each reads and writes 4 sectors of 32 bytes.
  CHECK_THAT(shown.shown, Contains("scale_kernel: 256 blocks of 256 threads") &&
                              Contains("global loads       2.05 k       8.19 k          4") &&
                              Contains("Source: scale.cu"));
  const Ran strided = kernel.profiled("x[i]", "x[i * 32 % n]");
  CHECK_THAT(strided.shown, Contains("touches 32 sectors where 4 would hold its bytes"));

  CHECK_THAT(kernel.profiled("a * x[i]", "b * x[i]").shown,
             Contains("does not compile:\nscale.cu:8:") && Contains("'b' was not declared"));
  const Ran stray = kernel.profiled("if (i < n) y", "y", {"--n", "1000"});
  CHECK(stray.status == 1);
  CHECK_THAT(stray.shown, Contains("access outside of a buffer") && Contains("scale.cu:8"));
  CHECK_THAT(
      kernel.profiled("HARNESS_LAB(scale, {.flops_per_element = 1, .bytes_per_element = 8})", "")
          .shown,
      Contains("it has no HARNESS_LAB"));
  CHECK_THAT(
      kernel.profiled("HARNESS_LAB(scale,", "int main() { return 0; }\nHARNESS_LAB(scale,").shown,
      Contains("Does it have a main() of its own?"));
  CHECK_THAT(kernel.profiled({}, {}, {"--entry", "other"}).shown, Contains("other"));
}

TEST_CASE("a kernel is profiled with the size that it is timed with, or the largest judged") {
  std::vector<grader::Exercise> course = {
      exercise("90.a", "one", 0, {5, 1025}),     exercise("90.a-speed", "one", 3072, {}),
      exercise("90.b", "two", 0, {5, 1025, 17}), exercise("90.c", "two.counted", 0, {2000}),
      exercise("90.d", "three", 1 << 25, {}),    exercise("90.e", "four", 1 << 25, {})};
  course.back().fields = grader::ProfileExercise{"h200-sxm", 1 << 25, {}};
  CHECK(cli::profiled_size(course, course[0]) == 3072);
  CHECK(cli::profiled_size(course, course[1]) == 3072);
  CHECK(cli::profiled_size(course, course[2]) == 2000);
  CHECK(cli::profiled_size(course, course[4]) == 1 << 22);
  CHECK(cli::profiled_size(course, course[5]) == 1 << 25);
  grader::SpeedExercise raced;
  raced.virtual_race = grader::VirtualRace{"h200-sxm", 1 << 24, 10, 2};
  course[1].fields = raced;
  CHECK(cli::profiled_size(course, course[1]) == 1 << 24);
  CHECK(course[1].virtual_problem()->multiprocessors == 2);
}
