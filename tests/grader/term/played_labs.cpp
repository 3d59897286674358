// SPDX-License-Identifier: MIT
// The labs of a class's term: functions and kernels of the test course, compiled and run.
// The class is graded in two parts, as two nodes would; the worker of one is killed in the middle.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "class_size.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

constexpr double kFunctionPoints = 2;  // of 90.attainable
constexpr double kKernelPoints = 3;    // of 90.saxpy
const fs::path kCourse = RL_TEST_COURSE;

/// What a student did with a file.
enum class Way { kRight, kWrong, kBroken, kNothing };
constexpr std::array kWays = {Way::kRight, Way::kRight,  Way::kRight,
                              Way::kWrong, Way::kBroken, Way::kNothing};

struct HandIn {
  Way function = Way::kNothing;
  Way kernel = Way::kNothing;
  bool is_anything() const { return function != Way::kNothing || kernel != Way::kNothing; }
  double function_points() const { return function == Way::kRight ? kFunctionPoints : 0; }
  double kernel_points() const { return kernel == Way::kRight ? kKernelPoints : 0; }
};

/// The solution, changed in one place if it should be wrong.
std::string text_of(Way way, const std::string& file, const std::string& right,
                    const std::string& wrong) {
  if (way == Way::kBroken) return "this is no C++\n";
  std::string text = base::read_file(kCourse / "solutions/90-course" / file);
  if (way == Way::kRight) return text;
  const std::size_t place = text.find(right);
  REQUIRE(place != std::string::npos);
  return text.replace(place, right.size(), wrong);
}

class PlayedLabs {
 public:
  PlayedLabs() {
    std::mt19937 random(26);
    std::string roster = "id\n";
    for (std::size_t s = 0; s < kStudents; ++s) {
      const auto drawn = [&] {
        return kWays.at(std::uniform_int_distribution<std::size_t>(0, kWays.size() - 1)(random));
      };
      hand_ins_.push_back({drawn(), drawn()});
      roster += id_of(s) + "\n";
      const std::string place = "in/" + id_of(s) + "/90-course/";
      if (hand_ins_[s].function != Way::kNothing) {
        folder_.write(place + "formulas.cpp",
                      text_of(hand_ins_[s].function, "formulas.cpp", "std::min(", "std::max("));
      }
      if (hand_ins_[s].kernel != Way::kNothing) {
        folder_.write(place + "code/saxpy.cu",
                      text_of(hand_ins_[s].kernel, "code/saxpy.cu", "+ y[i]", "- y[i]"));
      }
    }
    folder_.write("roster.csv", roster);
  }

  fs::path out(const std::string& name) const { return folder_.path / name; }
  std::string said() const { return base::read_file(out("log")); }

  std::vector<std::string> batch(const std::string& name,
                                 const std::vector<std::string>& more) const {
    std::vector<std::string> words = {RL_GRADER,
                                      "batch",
                                      out("in").string(),
                                      "--root",
                                      kCourse.string(),
                                      "--build",
                                      RL_BUILD,
                                      "--out",
                                      out(name).string(),
                                      "--roster",
                                      out("roster.csv").string(),
                                      "--exercise",
                                      "90.attainable",
                                      "--exercise",
                                      "90.saxpy",
                                      "--timed",
                                      "none",
                                      "--isolation-light"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  int run(const std::vector<std::string>& words) const {
    return support::end_of(support::start_program(words, out("log")));
  }
  /// Simulates a node that goes down: the worker is killed while it compiles or runs submissions.
  void run_and_lose(const std::vector<std::string>& words, const std::string& name) const {
    constexpr std::size_t kSome = 10;
    const pid_t pid = support::start_program(words, out("log"));
    const bool is_killed = support::kill_when(pid, [&] { return stored(name) >= kSome; });
    INFO(said());
    REQUIRE(is_killed);
    REQUIRE(stored(name) < kStudents / 2);
  }

  /// Number of results of students who handed in something.
  std::size_t stored(const std::string& name) const {
    std::size_t found = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      if (!hand_ins_[s].is_anything()) continue;
      found += fs::exists(out(name) / "results" / (id_of(s) + ".json")) ? 1U : 0U;
    }
    return found;
  }
  std::size_t handed_in() const {
    return static_cast<std::size_t>(std::count_if(
        hand_ins_.begin(), hand_ins_.end(), [](const HandIn& one) { return one.is_anything(); }));
  }

  /// Checks that everybody is in the gradebook, with the points of the hand-in.
  void check_gradebook(const std::string& name) const {
    const base::CsvFile table(out(name) / "gradebook.csv");
    REQUIRE(table.size() == kStudents);
    int wrong = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      const std::string should = fmt::format(
          "{} {:g} {:g}", id_of(s), hand_ins_[s].function_points(), hand_ins_[s].kernel_points());
      const std::string is = table.field(s, "id") + " " + table.field(s, "90.attainable") + " " +
                             table.field(s, "90.saxpy");
      if (is == should) continue;
      ++wrong;
      UNSCOPED_INFO(is << ", should be " << should);
    }
    CHECK(wrong == 0);
  }

  /// Checks the same for the book.
  void check_book(const std::string& name) const {
    folder_.write("policy.toml",
                  "course = \"A term\"\n[[assignment]]\nname = \"Labs\"\nexercises = "
                  "[\"90.attainable\", \"90.saxpy\", \"90.saxpy-speed\"]\ndeadline = "
                  "2027-01-10T00:00:00+01:00\n"
                  "[[assignment.submission]]\nresults = \"" +
                      name + "\"\nhanded-in = 2027-01-09T00:00:00+01:00\n");
    REQUIRE(
        run({RL_GRADER, "book", out("policy.toml").string(), "--roster", out("roster.csv").string(),
             "--root", kCourse.string(), "--out", out("book").string()}) == 0);
    // Only the races are left, which the batch was told to skip.
    const std::string left = said().substr(said().find("needs attention"));
    CHECK(left.find("90.saxpy-speed was judged by no batch") != std::string::npos);
    CHECK(left.find("90.attainable") == std::string::npos);
    const base::CsvFile table(out("book") / "book.csv");
    REQUIRE(table.size() == kStudents);
    for (std::size_t s = 0; s < kStudents; ++s) {
      const double points = hand_ins_[s].function_points() + hand_ins_[s].kernel_points();
      CHECK(std::stod(table.field(s, "Labs points")) == points);
    }
  }

 private:
  static std::string id_of(std::size_t student) { return fmt::format("s{:03}", student); }

  support::TemporaryFolder folder_;
  std::vector<HandIn> hand_ins_;
};

}  // namespace

TEST_CASE("the labs of a class, with a node that is lost", "[labs]") {
  const PlayedLabs labs;
  REQUIRE(labs.run(labs.batch("part-0", {"--slice", "0/2"})) == 0);
  labs.run_and_lose(labs.batch("part-1", {"--slice", "1/2"}), "part-1");
  const std::size_t stored = labs.stored("part-0") + labs.stored("part-1");
  const int status = labs.run(labs.batch(
      "graded", {"--take", labs.out("part-0").string(), "--take", labs.out("part-1").string()}));
  INFO(labs.said());
  REQUIRE(status == 0);
  // The nodes' results are not judged again, and nothing else counts as finished.
  const std::string says =
      fmt::format("{} graded, {} unchanged, {} without a submission", labs.handed_in() - stored,
                  stored, kStudents - labs.handed_in());
  CHECK_THAT(labs.said(), Catch::Contains(says));
  labs.check_gradebook("graded");
  labs.check_book("graded");
}
