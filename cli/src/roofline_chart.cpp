// SPDX-License-Identifier: MIT
// ./lab roofline: this machine and the kernels that were timed on it.
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>

#include "commands.hpp"
#include "grader/record.hpp"
#include "run.hpp"

namespace cli {
namespace {

/// Where a kernel lies on the chart.
struct Point {
  double flops_per_byte = 0;
  double flops_per_second = 0;
  bool is_drawable() const {
    return std::isfinite(flops_per_byte) && std::isfinite(flops_per_second) && flops_per_byte > 0 &&
           flops_per_second > 0;
  }
};

double metric(const grader::Verdict& verdict, const std::string& name) {
  for (const auto& [key, value] : verdict.metrics) {
    if (key == name) return value;
  }
  return 0;
}

/// What the grader timed counts before what a student's program recorded.
std::map<std::string, Point> timed_kernels(const Course& course) {
  std::map<std::string, Point> points;
  for (const grader::Exercise& exercise : course.exercises()) {
    if (!exercise.record.empty()) {
      const auto file = course.root() / "topics" / exercise.topic / exercise.record;
      if (!std::filesystem::exists(file)) continue;
      const grader::Record record = grader::read_record(file);
      points.try_emplace(exercise.program,
                         Point{record.flops / record.bytes_moved, record.flops_per_second});
    }
    const grader::Verdict* verdict = course.verdict(exercise);
    if (exercise.kind != grader::Kind::kSpeed || verdict == nullptr) continue;
    const Point timed{metric(*verdict, "flops_per_byte"), metric(*verdict, "flops_per_second")};
    if (timed.is_drawable()) points[exercise.program] = timed;
  }
  return points;
}

std::string argument_for(const std::string& name, const Point& point) {
  char text[160];
  std::snprintf(text, sizeof text, "%s:%.6g:%.6g", name.c_str(), point.flops_per_byte,
                point.flops_per_second);
  return text;
}

}  // namespace

int roofline_chart(const Course& course, const std::string& out) {
  if (!std::filesystem::exists(course.machine_file())) {
    throw std::runtime_error("this machine has not been measured yet; run ./lab start");
  }
  std::vector<std::string> command = {course.program("roofline").string(), "plot", "--terminal"};
  std::size_t drawn = 0;
  for (const auto& [name, point] : timed_kernels(course)) {
    if (!point.is_drawable()) continue;  // moves bytes only: has no place on these axes
    command.insert(command.end(), {"--kernel", argument_for(name, point)});
    ++drawn;
  }
  if (!out.empty()) command.insert(command.end(), {"--out", out});
  command.push_back(course.machine_file().string());
  const int status = run(command);
  if (status == 0 && drawn == 0) {
    std::printf(
        "No kernel of yours is on it yet: they come with speed exercises that were\n"
        "checked, and with records that your programs wrote.\n");
  }
  if (status == 0 && !out.empty()) std::printf("Written: %s\n", out.c_str());
  return status;
}

}  // namespace cli
