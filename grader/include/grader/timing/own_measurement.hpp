// SPDX-License-Identifier: MIT
// The grader's own measurement of a program, for recorded and predicted figures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "grader/judge/session.hpp"
#include "grader/judge/verdict.hpp"
#include "grader/timing/timing.hpp"

namespace grader {

/// The grader's own measurement of a program.
struct OwnMeasurement {
  /// Median, and the lowest and highest median of a leg. If there is a load, the lowest excludes
  /// the time that other work took.
  Interval seconds;
  double flops = 0;
  double bytes_moved = 0;
  std::string wrong;  ///< what is wrong with the outputs; the time is then meaningless
  double load = 0;    ///< share of the time that other work took in the least disturbed leg; 0 if
                      ///< enough legs ran undisturbed
};

/// The course's program; if there is none, only the student's own can be measured.
std::unique_ptr<Program> start_trusted(Session& session, const Exercise& exercise);

/// Measures several legs, each with the program started afresh: the placement of its memory, and
/// with it its speed, differs from start to start.
OwnMeasurement measure(Session& session, const Exercise& exercise, std::int64_t n,
                       const std::function<std::unique_ptr<Program>()>& start);

/// A figure in base units: quantity is "bandwidth", "flops" or "time".
double quantity_of(const std::string& quantity, double seconds, double flops, double bytes_moved);

/// "recorded 21.3 GB/s, measured now 20.9 GB/s".
std::string two_figures(const Exercise& exercise, const char* first, double one, const char* second,
                        double other);

/// The verdict if the figures cannot decide.
Verdict inconclusive(Verdict verdict, const std::string& why, std::string detail = {});
/// The verdict if other work delayed the program.
Verdict too_busy(const Exercise& exercise, const OwnMeasurement& own);

}  // namespace grader
