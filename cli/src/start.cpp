// SPDX-License-Identifier: MIT
// ./lab start, once everything is built: this machine's roofs, and the first exercise.
#include <cstdio>

#include "commands.hpp"
#include "lock.hpp"
#include "run.hpp"
#include "terminal.hpp"

namespace cli {
namespace {
/// Exit status of `roofline measure` when a figure was above what the datasheet allows: that figure
/// is marked and not used, the others are good.
constexpr int kSomeRoofRefused = 3;
}  // namespace

int start(const Course& course, bool measure_again) {
  const std::string roofline = course.program("roofline").string();
  const std::string machine = course.machine_file().string();
  const Lock lock(course.memory_folder(), "start");
  if (measure_again || !std::filesystem::exists(machine)) {
    std::printf("%s\n", bold("Measuring this machine's roofs (less than a minute) ...").c_str());
    std::fflush(stdout);
    const int status = run({roofline, "measure", "--quick", "--out", machine});
    if (status != 0 && status != kSomeRoofRefused) return status;
  }
  if (const int status = run({roofline, "plot", "--terminal", machine}); status != 0) return status;
  std::printf("\nMeasured roofs: %s (measure again: ./lab start --measure)\n\n%s\n",
              std::filesystem::relative(machine, course.root()).c_str(),
              bold("Your first exercise").c_str());
  return next(course);
}

}  // namespace cli
