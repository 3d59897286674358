// SPDX-License-Identifier: MIT
// ./lab start, after the build: measures this machine's roofs and shows the first exercise.
#include <cstdio>

#include "base/text.hpp"
#include "commands.hpp"
#include "lock.hpp"
#include "run.hpp"
#include "terminal.hpp"
#include "wide_roofs.hpp"

namespace cli {
namespace {
/// Exit status of `roofline measure` if a figure exceeded the datasheet's limit: that figure is
/// marked and not used, the others are valid.
constexpr int kSomeRoofRefused = 3;

int measure(const std::string& roofline, const std::string& machine) {
  std::fflush(stdout);
  const int status = run({roofline, "measure", "--quick", "--out", machine});
  return status == kSomeRoofRefused ? 0 : status;
}

/// Reports doubtful roofs; returns whether there are any.
bool warn_of_wide_roofs(const std::string& machine, const char* what_now) {
  const std::string names = base::joined(wide_roofs(roofline::read_report(machine)));
  if (names.empty()) return false;
  std::printf("%s", wrap("The samples of these roofs differ by more than 20 %: " + names +
                         ". Something else is running. " + what_now)
                        .c_str());
  return true;
}

/// Measures, and repeats it once if the samples vary too much.
int measure_until_steady(const std::string& roofline, const std::string& machine) {
  if (const int status = measure(roofline, machine); status != 0) return status;
  if (!warn_of_wide_roofs(machine, "Measuring again ...")) return 0;
  if (const int status = measure(roofline, machine); status != 0) return status;
  warn_of_wide_roofs(machine,
                     "Verdicts on speed will be in doubt; when the machine is idle, run: ./lab "
                     "start --measure");
  return 0;
}

}  // namespace

int start(const Course& course, bool measure_again) {
  const std::string roofline = course.program("roofline").string();
  const std::string machine = course.machine_file().string();
  const base::FileLock lock = lock_checkout(course.memory_folder(), "start");
  if (measure_again || !std::filesystem::exists(machine)) {
    std::printf("%s\n", bold("Measuring this machine's roofs (less than a minute) ...").c_str());
    if (const int status = measure_until_steady(roofline, machine); status != 0) return status;
  }
  const int drawn = run({roofline, "plot", "--terminal", "--columns", chart_columns(), machine});
  if (drawn != 0) return drawn;
  std::printf("\nMeasured roofs: %s (measure again: ./lab start --measure)\n\n%s\n",
              std::filesystem::relative(machine, course.root()).c_str(),
              bold("Your first exercise").c_str());
  return next(course);
}

}  // namespace cli
