// SPDX-License-Identifier: MIT
// Records of measurements: from the student's program, and forged ones.
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "corpus.hpp"
#include "grader/judge/grade.hpp"
#include "grader/program/process.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Forgery {
  std::string name;
  std::function<void(json&)> change;
};

/// Changes a record consistently, to other work or another time.
void rewrite(json& record, double seconds, double n) {
  const double times = n / record["n"].get<double>();
  for (const char* work : {"bytes_moved", "flops"})
    record[work] = times * record[work].get<double>();
  record["n"] = static_cast<std::int64_t>(n);
  for (const char* which : {"median", "minimum", "maximum"}) record["seconds"][which] = seconds;
  record["gb_per_s"] = record["bytes_moved"].get<double>() / seconds / 1e9;
  record["gflop_per_s"] = record["flops"].get<double>() / seconds / 1e9;
}

double seconds_of(const json& record) {
  return record["seconds"]["median"].get<double>();
}

double n_of(const json& record) {
  return record["n"].get<double>();
}

const std::vector<Forgery>& forgeries() {
  static const std::vector<Forgery> kAll = {
      {"of a classmate whose kernel is ten times as fast",
       [](json& r) { rewrite(r, seconds_of(r) / 10, n_of(r)); }},
      {"typed by hand, a hundred times too slow",
       [](json& r) { rewrite(r, seconds_of(r) * 100, n_of(r)); }},
      {"of a device called Imaginary 9000", [](json& r) { r["device"] = "Imaginary 9000"; }},
      {"of another backend", [](json& r) { r["backend"] = "cuda"; }},
      {"of another program", [](json& r) { r["program"] = "triad"; }},
      {"with n = 2^62", [](json& r) { rewrite(r, seconds_of(r), std::ldexp(1.0, 62)); }},
      {"of numbers that fit into a cache", [](json& r) { rewrite(r, 1e-6, 1000); }},
      {"with another n than its bytes", [](json& r) { r["n"] = r["n"].get<std::int64_t>() * 2; }},
      {"with twice the bytes that the task moves",
       [](json& r) {
         const double n = n_of(r);
         rewrite(r, seconds_of(r) * 2, 2 * n);
         r["n"] = static_cast<std::int64_t>(n);
       }},
      {"whose rate is not its bytes over its time", [](json& r) { r["gb_per_s"] = 9000.0; }},
      {"without a time", [](json& r) { r["seconds"]["median"] = 0.0; }},
  };
  return kAll;
}

/// The measured lab, its record and its judge.
class Lab {
 public:
  Lab() {
    std::vector<grader::SchemaError> errors;
    const auto topics = grader::load_topics(RL_TEST_COURSE, errors);
    for (const grader::Exercise& e : topics.at(0).exercises) {
      if (e.id == "90.saxpy-speed") exercise_ = e;
    }
    // A call takes milliseconds, which is long enough to detect a tenfold speed; creating, loading
    // and checking its numbers takes most of the test's time.
    constexpr std::int64_t kSize = 1 << 21;
    exercise_.fields =
        grader::MeasurementExercise{"GB/s", "bandwidth", {kSize, kSize}, "saxpy.json"};
    exercise_.rtol = 0.8;  // even if the machine is busy
    const fs::path program = programs_ / "90-course/saxpy";
    grader::Child child({{program.string(), "--n", std::to_string(kSize), "--json",
                          (folder_.path / "own.json").string()},
                         folder_.path,
                         grader::clean_environment()},
                        grader::Limits{});
    REQUIRE(child.wait() == 0);
    own_ = json::parse(base::read_file(folder_.path / "own.json"));
  }
  json own() const { return own_; }
  grader::Verdict judge(const json& record) const {
    folder_.write("topics/90-course/saxpy.json", record.dump());
    grader::Workspace workspace;
    workspace.root = RL_TEST_COURSE;
    workspace.build = RL_BUILD;
    workspace.student_bin = programs_;
    workspace.submission = folder_.path;
    grader::Session session(workspace);
    return grader::grade(session, exercise_);
  }

 private:
  support::TemporaryFolder folder_;
  fs::path programs_ = fs::path(RL_BUILD) / "bin/tests/adversarial/twin";
  grader::Exercise exercise_;
  json own_;
};

}  // namespace

TEST_CASE("a record is judged by the grader's own run of the program", "[adversarial]") {
  const Lab lab;
  const grader::Verdict honest = lab.judge(lab.own());
  INFO(honest.message << "\n" << honest.detail);
  CHECK(
      (honest.status == grader::Status::kPassed || honest.status == grader::Status::kInconclusive));
  for (const Forgery& forgery : forgeries()) {
    json record = lab.own();
    forgery.change(record);
    const grader::Verdict verdict = lab.judge(record);
    INFO(forgery.name << ": " << verdict.message);
    CHECK(verdict.points == 0);
    CHECK(verdict.status != grader::Status::kPassed);
    CHECK(verdict.status != grader::Status::kError);
  }
}

std::vector<corpus::Row> corpus::record_rows() {
  std::vector<Row> rows;
  for (const Forgery& forgery : forgeries()) {
    rows.push_back({"a record " + forgery.name,
                    "the grader runs the student's program itself, and compares", kTriedLight});
  }
  rows.push_back({"a record that the student's program made"});
  return rows;
}
