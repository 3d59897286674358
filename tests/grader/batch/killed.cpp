// SPDX-License-Identifier: MIT
// The grader is killed in the middle of its work: everything done until then is in valid reports,
// and a batch continues from there.
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "grader/program/sandbox.hpp"
#include "grader/report/report.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using support::read_text;

namespace {

constexpr const char* kNotJudged = "not judged";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

pid_t start_grader(std::vector<std::string> arguments, const fs::path& output) {
  arguments.insert(arguments.begin(), RL_GRADER);
  return support::start_program(arguments, output);
}

/// Runs the program to its end and returns its output.
std::string run_grader(const std::vector<std::string>& arguments, const fs::path& output) {
  support::end_of(start_grader(arguments, output));
  return read_text(output);
}

std::string decoded(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (const char c : base64) {
    const auto digit = digits.find(c);
    if (digit == std::string::npos) continue;
    group = group << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255);
  }
  return bytes;
}

/// The quick exercises of the test course that are not timed.
const std::vector<std::string> kChosen = {"90.intensity",  "90.rate", "90.memory", "90.bound",
                                          "90.attainable", "90.step", "90.saxpy",  "90.total"};

/// One run of `grader grade` that writes all report formats.
class GradeRun {
 public:
  GradeRun() {
    arguments_ = {"grade", "--root", RL_TEST_COURSE, "--build", RL_BUILD, "--solutions"};
    for (const std::string& id : kChosen) arguments_.insert(arguments_.end(), {"--exercise", id});
    for (const char* format :
         {"html", "json", "junit", "csv", "gradescope", "classroom", "prairielearn"}) {
      arguments_.insert(arguments_.end(),
                        {"--report-" + std::string(format), file(format).string()});
    }
  }
  fs::path file(const std::string& format) const { return folder_.path / ("report." + format); }
  std::string text(const std::string& format) const { return read_text(file(format)); }
  /// Number of exercises with a verdict in the last report; -1 before there is one.
  int judged() const {
    const std::string last = text("prairielearn");
    return last.empty() ? -1 : static_cast<int>(kChosen.size() - count(last, kNotJudged));
  }
  bool kill_after(int judged_exercises) {
    const pid_t pid = start_grader(arguments_, folder_.path / "terminal");
    return support::kill_when(pid, [&] { return judged() >= judged_exercises; });
  }
  std::string terminal() const { return read_text(folder_.path / "terminal"); }

 private:
  support::TemporaryFolder folder_;
  std::vector<std::string> arguments_;
};

/// Every format contains all exercises, at least `judged` of them with a verdict, and says that the
/// run is not finished.
void check_reports(const GradeRun& run, int judged) {
  const std::size_t all = kChosen.size();
  const std::size_t most_left = all - static_cast<std::size_t>(judged);
  const grader::Results results = grader::parse_results(run.text("json"));
  CHECK_FALSE(results.complete);
  REQUIRE(results.verdicts.size() == all);
  CHECK(results.points() >= judged);  // every exercise is worth at least a point
  for (int i = 0; i < judged; ++i) {
    const grader::Verdict& verdict = results.verdicts[static_cast<std::size_t>(i)];
    CHECK(verdict.status == grader::Status::kPassed);
    CHECK(run.terminal().find("passed  " + verdict.id + "  ") != std::string::npos);
  }

  pugi::xml_document junit;
  REQUIRE(junit.load_string(run.text("junit").c_str()));
  const auto suite = junit.child("testsuites").child("testsuite");
  CHECK(suite.attribute("tests").as_uint() == all);
  CHECK(suite.attribute("failures").as_uint() <= most_left);

  const std::string csv = run.text("csv");
  CHECK(count(csv, "\n") == all + 1);
  CHECK(count(csv, kNotJudged) <= most_left);

  const auto gradescope = nlohmann::json::parse(run.text("gradescope"));
  CHECK(gradescope.at("tests").size() == all);
  CHECK(gradescope.at("score") >= judged);
  CHECK(gradescope.at("output") == "The grading was interrupted.");

  const auto classroom = nlohmann::json::parse(decoded(run.text("classroom").substr(7)));
  CHECK(classroom.at("tests").size() == all);
  CHECK(classroom.at("status") == "fail");
  CHECK(classroom.at("max_score") == results.max_points());

  const auto prairielearn = nlohmann::json::parse(run.text("prairielearn"));
  CHECK(prairielearn.at("tests").size() == all);
  CHECK(prairielearn.at("score") < 1);

  const std::string html = run.text("html");
  CHECK(html.find("grading was interrupted") != std::string::npos);
  CHECK(html.ends_with("</html>\n"));
  CHECK(count(html, kNotJudged) <= most_left);
}

}  // namespace

TEST_CASE("grade, killed at several points, leaves every report valid", "[killed]") {
  for (const int judged : {0, 1, 4, 7}) {
    GradeRun run;
    INFO("killed after " << judged << " exercises:\n" << run.terminal());
    REQUIRE(run.kill_after(judged));
    check_reports(run, judged);
  }
}

namespace {

/// A class whose grading takes long enough to be killed before it ends.
class BatchRun {
 public:
  BatchRun() {
    const fs::path solutions = fs::path(RL_TEST_COURSE) / "solutions/90-course";
    const std::string formulas = read_text(solutions / "formulas.cpp");
    for (const char* student : {"a", "b", "c", "d"}) {
      const std::string place = "in/" + std::string(student) + "/90-course/";
      folder_.write(place + "answers.toml", "[\"90.intensity\"]\nvalue = \"0.1667\"\n");
      if (*student == 'b') {
        folder_.write(place + "formulas.cpp", formulas);
        folder_.write(place + "code/saxpy.cu", read_text(solutions / "code/saxpy.cu"));
      }
      if (*student == 'd') folder_.write(place + "formulas.cpp", formulas);
    }
    arguments_ = {"batch",      (folder_.path / "in").string(),
                  "--root",     RL_TEST_COURSE,
                  "--build",    RL_BUILD,
                  "--out",      out().string(),
                  "--jobs",     "1",
                  "--exercise", "90.intensity",
                  "--exercise", "90.attainable",
                  "--exercise", "90.saxpy"};
  }
  fs::path out() const { return folder_.path / "out"; }
  bool kill_when_true(const std::function<bool()>& is_time) {
    return support::kill_when(start_grader(arguments_, folder_.path / "terminal"), is_time);
  }
  std::string run() { return run_grader(arguments_, folder_.path / "terminal"); }
  /// Lines of the gradebook by student; empty when there is none yet.
  std::map<std::string, std::vector<std::string>> gradebook() const {
    std::map<std::string, std::vector<std::string>> lines;
    std::ifstream in(out() / "gradebook.csv");
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      const base::CsvRow fields = base::parse_csv(line).rows.at(0);
      lines[fields.at(0)] = fields;
    }
    return lines;
  }
  std::size_t known_programs() const {
    if (!fs::exists(out() / "known")) return 0;
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator(out() / "known")) {
      found += entry.path().extension() == ".json" ? 1U : 0U;
    }
    return found;
  }

 private:
  support::TemporaryFolder folder_;
  std::vector<std::string> arguments_;
};

/// Every student in the gradebook has a result with the same points, and a page.
void check_gradebook(const BatchRun& run) {
  for (const auto& [student, fields] : run.gradebook()) {
    INFO(student);
    const grader::Results results =
        grader::parse_results(read_text(run.out() / "results" / (student + ".json")));
    CHECK(results.complete);
    REQUIRE(fields.size() == 7);
    CHECK(std::stod(fields[2]) == results.points());
    CHECK(read_text(run.out() / "reports" / (student + ".html")).ends_with("</html>\n"));
  }
}

}  // namespace

TEST_CASE("batch, killed at several points, keeps what was done and continues", "[killed]") {
  if (!grader::sandbox_available()) {
    WARN("bubblewrap does not work on this machine");
    return;
  }
  BatchRun run;
  REQUIRE(run.kill_when_true([&] { return fs::exists(run.out() / "gradebook.csv"); }));
  check_gradebook(run);
  // One student is done; then one whose first program is judged while the second is compiled.
  REQUIRE(run.kill_when_true([&] { return run.gradebook().size() == 1; }));
  CHECK(run.gradebook().contains("a"));
  check_gradebook(run);
  REQUIRE(run.kill_when_true([&] { return run.known_programs() == 1; }));
  CHECK(run.gradebook().size() == 1);
  check_gradebook(run);

  const std::string rest = run.run();
  INFO(rest);
  CHECK(rest.find("3 graded, 1 unchanged, 0 without a submission") != std::string::npos);
  // b's formulas were judged before the kill, and d handed in the same ones.
  CHECK(rest.find("1 programs compiled, 2 verdicts reused") != std::string::npos);
  CHECK(run.gradebook().size() == 4);
  check_gradebook(run);
  CHECK(run.gradebook().at("b").at(2) == "6");
  CHECK(run.gradebook().at("d").at(2) == "3");

  const std::string again = run.run();
  INFO(again);
  CHECK(again.find("0 graded, 4 unchanged") != std::string::npos);
  CHECK(again.find("0 programs compiled, 0 verdicts reused") != std::string::npos);
}
