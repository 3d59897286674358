// SPDX-License-Identifier: MIT
// Reads Linux's counters for threads and processors.
#include "grader/timing/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace grader {
namespace {

void add_threads(pid_t process, std::map<pid_t, ThreadTimes>& threads) {
  const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    std::ifstream in(task.path() / "schedstat");  // nanoseconds running and waiting, and slices
    ThreadTimes times;
    if (!(in >> times.running >> times.waiting)) continue;
    threads[std::stoi(task.path().filename())] = {times.running * 1e-9, times.waiting * 1e-9};
  }
}

/// The first line of /proc/stat: clock ticks of user, nice, system, idle, iowait, irq, softirq and
/// steal.
void add_machine(ProcessorTimes& times) {
  std::ifstream in("/proc/stat");
  std::string word;
  in >> word;
  const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  constexpr int kSteal = 7;
  double ticks = 0;
  for (int i = 0; i <= kSteal && in >> ticks; ++i) {
    times.total += ticks * tick;
    if (i == kSteal) times.stolen = ticks * tick;
  }
}

}  // namespace

ProcessorTimes processor_times(const std::vector<pid_t>& processes) {
  ProcessorTimes times;
  for (const pid_t process : processes) add_threads(process, times.threads);
  add_machine(times);
  return times;
}

double load_between(const ProcessorTimes& before, const ProcessorTimes& after) {
  double most_waiting = 0;
  double most_active = 0;
  for (const auto& [thread, times] : after.threads) {
    const auto earlier = before.threads.find(thread);
    const ThreadTimes from = earlier == before.threads.end() ? ThreadTimes{} : earlier->second;
    const double waiting = times.waiting - from.waiting;
    most_waiting = std::max(most_waiting, waiting);
    most_active = std::max(most_active, waiting + times.running - from.running);
  }
  // Only the busiest thread counts: one that works rarely may wait as long as it works.
  const double waited = most_active > 0 ? most_waiting / most_active : 0;
  const double passed = after.total - before.total;
  const double stolen = passed > 0 ? (after.stolen - before.stolen) / passed : 0;
  return std::clamp(waited + stolen, 0.0, 1.0);
}

}  // namespace grader
