// SPDX-License-Identifier: MIT
// Whether a program had the processors to itself while it was timed.
#pragma once

#include <sys/types.h>

#include <map>
#include <vector>

namespace grader {

/// Processor time of one thread, in seconds.
struct ThreadTimes {
  double running = 0;
  double waiting = 0;  ///< ready to run while something else had the processor
};

/// The system's counts so far.
struct ProcessorTimes {
  std::map<pid_t, ThreadTimes> threads;
  double stolen = 0;  ///< of all processors, taken by the host of a virtual machine
  double total = 0;   ///< of all processors, whatever they did
};

/// Reads the times of all threads of some processes. Where the system does not count them, as
/// outside Linux, there are none, and every program seems to be alone.
ProcessorTimes processor_times(const std::vector<pid_t>& processes);

/// The share of the time between two looks by which other work held a program up: how long its
/// most delayed thread had to wait, and what the host took. 0 for a program that was alone.
double load_between(const ProcessorTimes& before, const ProcessorTimes& after);

}  // namespace grader
