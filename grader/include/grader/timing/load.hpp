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
  double waiting = 0;  ///< ready to run while other work had the processor
};

/// The system's counters so far.
struct ProcessorTimes {
  std::map<pid_t, ThreadTimes> threads;
  double stolen = 0;  ///< of all processors, taken by the host of a virtual machine
  double total = 0;   ///< of all processors, busy or not
};

/// Reads the times of all threads of some processes. A system without these counters, as outside
/// Linux, reports none, so that every program seems to run alone.
ProcessorTimes processor_times(const std::vector<pid_t>& processes);

/// The share of the time between two readings in which other work delayed a program: the wait of
/// its most delayed thread, and the time that the host took. 0 for a program that ran alone.
double load_between(const ProcessorTimes& before, const ProcessorTimes& after);

}  // namespace grader
