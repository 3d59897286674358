// SPDX-License-Identifier: MIT
// ./lab watch: saving files, pressing keys, and the terminal afterwards.
#include <signal.h>

#include "course_copy.hpp"
#include "support/catch.hpp"

namespace {

using namespace cli_test;

void save_and_see(const CourseCopy& course, Terminal& watch) {
  REQUIRE(watch.expect("90.intensity"));
  REQUIRE(watch.expect("unsolved"));
  REQUIRE(watch.expect("[q]uit"));
  course.answer("90.intensity", "0.25 FLOP/B");  // by renaming, as many editors save
  REQUIRE(watch.expect("the read of y was forgotten"));
  REQUIRE(watch.expect("[q]uit"));
  std::string text = read_text(course.file("answers.toml"));
  text.replace(text.find("0.25"), 4, "0.16667");
  write_text(course.file("answers.toml"), text);  // in place, as others do
  REQUIRE(watch.expect("Press n for the next exercise"));
}

}  // namespace

TEST_CASE("watch judges at every save and listens to keys") {
  const CourseCopy course;
  Terminal watch(course.lab({"watch"}));
  save_and_see(course, watch);
  watch.type("h");
  CHECK(watch.expect("Count three transfers"));
  watch.type("l");
  CHECK(watch.expect("* 90.intensity"));
  watch.type("c");
  CHECK(watch.expect("passed"));
  watch.type("n");
  CHECK(watch.expect("./lab check 90."));
  CHECK(watch.expect("0/"));  // judges immediately what it shows
  CHECK_FALSE(watch.is_cooked());
  watch.type("q");
  CHECK(watch.wait() == 0);
  CHECK(watch.is_cooked());
}

TEST_CASE("watch follows every exercise that begins so") {
  const CourseCopy course;
  Terminal watch(course.lab({"watch", "90.b"}));
  REQUIRE(watch.expect("watching 90.bound, 90.blocks"));
  course.answer("90.bound", "memory");
  CHECK(watch.expect("passed"));
  CHECK(watch.expect("unsolved  90.blocks"));
  REQUIRE(watch.expect("[q]uit"));
  watch.type("h");
  CHECK(watch.expect("Hints for 90.blocks"));
  watch.type("q");
  CHECK(watch.wait() == 0);
}

TEST_CASE("watch sees saves where no events arrive") {
  const CourseCopy course;
  Terminal watch(course.lab({"watch", "90.intensity", "--poll"}));
  save_and_see(course, watch);
  watch.type("q");
  CHECK(watch.wait() == 0);
}

TEST_CASE("an interrupted watch leaves the terminal as it was") {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    const CourseCopy course;
    Terminal watch(course.lab({"watch"}));
    REQUIRE(watch.expect("[q]uit"));
    if (signal_number == SIGINT) {
      watch.type("\x03");  // Ctrl-C
    } else {
      watch.kill(signal_number);
    }
    CHECK(watch.wait() == 128 + signal_number);
    CHECK(watch.is_cooked());
  }
}
