// SPDX-License-Identifier: MIT
// ./lab roofline: this machine and the kernels that were timed on it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "base/text.hpp"
#include "commands.hpp"
#include "grader/timing/record.hpp"
#include "grader/timing/timing.hpp"
#include "roofline/chart/chart.hpp"
#include "run.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

/// A kernel's position on the chart.
struct Point {
  double flops_per_byte = 0;
  double flops_per_second = 0;
  std::string precision;
  bool is_limited_by_roof = true;  ///< false if the exercise says that something else limits it
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

/// Times of the grader take precedence over those that a student's program recorded.
std::map<std::string, Point> timed_kernels(const Course& course) {
  std::map<std::string, Point> points;
  for (const grader::Exercise& exercise : course.exercises()) {
    if (!exercise.record().empty()) {
      const auto file = course.root() / "topics" / exercise.topic / exercise.record();
      if (!std::filesystem::exists(file)) continue;
      const grader::Record record = grader::read_record(file);
      points.try_emplace(exercise.program, Point{record.flops / record.bytes_moved,
                                                 record.flops_per_second, "fp32", true});
    }
    const grader::Verdict* verdict = course.verdict(exercise);
    if (exercise.precision().empty() || verdict == nullptr) continue;
    const Point timed{metric(*verdict, "flops_per_byte"), metric(*verdict, "flops_per_second"),
                      exercise.precision(), exercise.no_roof().empty()};
    if (timed.is_drawable()) points[exercise.program] = timed;
  }
  return points;
}

std::string argument_for(const std::string& name, const Point& point) {
  return base::formatted("%s:%.6g:%.6g", name.c_str(), point.flops_per_byte,
                         point.flops_per_second);
}

/// Measured speed relative to what the roof allows; 0 if that roof is unknown.
double times_the_roof(const roofline::Machine& machine, const Point& point) {
  const auto shortest = grader::shortest_seconds(machine, point.precision, point.flops_per_second,
                                                 point.flops_per_second / point.flops_per_byte);
  return shortest && point.is_limited_by_roof ? *shortest : 0;
}

/// No kernel is faster than the machine: if one seems to be, the roof is wrong.
void complain_about_roof(const roofline::Machine& machine, const std::string& name,
                         const Point& point) {
  constexpr double kNoise = 1.1;
  const double times = times_the_roof(machine, point);
  if (times <= kNoise) return;
  std::printf("%s", wrap(name + " is at " + std::to_string(std::lround(100 * times)) +
                         " % of the roof: the stored roof is stale, or was measured while the "
                         "machine was busy. Measure again while nothing else runs:")
                        .c_str());
  std::printf("    ./lab start --measure\n");
}

/// What to try next with the kernels that the roof limits. A rate a little above the roof is noise.
void print_advice(const roofline::Machine& machine, const std::map<std::string, Point>& kernels) {
  roofline::Chart chart = roofline::chart_of(machine);
  const roofline::Roof roof = roofline::memory_roof(chart);
  for (const auto& [name, point] : kernels) {
    if (!point.is_drawable() || !point.is_limited_by_roof) continue;
    const double most = roofline::attainable(roof, point.flops_per_byte);
    chart.points.push_back({name, point.flops_per_byte, std::min(point.flops_per_second, most)});
  }
  std::printf("%s", roofline::advice_text(chart, std::stoi(chart_columns())).c_str());
}

}  // namespace

int roofline_chart(const Course& course, const std::string& out) {
  if (!std::filesystem::exists(course.machine_file())) {
    throw std::runtime_error("this machine has not been measured yet; run ./lab start");
  }
  std::vector<std::string> command = {course.program("roofline").string(),
                                      "plot",
                                      "--terminal",
                                      "--columns",
                                      chart_columns(),
                                      "--no-advice"};
  std::size_t drawn = 0;
  const std::map<std::string, Point> kernels = timed_kernels(course);
  for (const auto& [name, point] : kernels) {
    if (!point.is_drawable()) continue;  // only moves bytes, so it has no place on these axes
    command.insert(command.end(), {"--kernel", argument_for(name, point)});
    ++drawn;
  }
  if (!out.empty()) command.insert(command.end(), {"--out", out});
  command.push_back(course.machine_file().string());
  const int status = run(command);
  if (status == 0) {
    const roofline::Machine machine = roofline::load_machine(course.machine_file());
    print_advice(machine, kernels);
    for (const auto& [name, point] : kernels) {
      if (point.is_drawable()) complain_about_roof(machine, name, point);
    }
  }
  if (status == 0 && drawn == 0) {
    std::printf(
        "None of your kernels is on it yet. Graded speed exercises add theirs, and so do\n"
        "records that your programs write.\n");
  }
  if (status == 0 && !out.empty()) std::printf("Written: %s\n", out.c_str());
  return status;
}

}  // namespace cli
