// SPDX-License-Identifier: MIT
// Measures the roofs of the machine that this build's kernels run on.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "roofline/measurement.hpp"

namespace roofline::measure {

struct Options {
  bool quick = false;             ///< only the roofs that the course's first steps need, in seconds
  std::vector<std::string> only;  ///< names of roofs and tables; empty: everything in the run
  std::optional<Report> like;     ///< a report whose configurations are reused instead of searching
  std::filesystem::path machine_folder;  ///< datasheets that measured figures are compared with
  std::string command;                   ///< for the report
};

/// Reported before and after each roof.
struct Progress {
  std::string roof;
  int done = 0;
  int total = 0;
  double seconds_left = 0;               ///< estimate; 0 until something was measured
  const MeasuredRoof* result = nullptr;  ///< set if the roof has just been measured
};

/// Measures everything; on `stop` it returns what was finished, with complete = false. Throws
/// gpu::Error if the device fails, std::runtime_error if there is too little memory, and
/// std::invalid_argument, which lists the names, if `only` contains one that the run lacks.
Report measure(const Options& options, const std::function<void(const Progress&)>& tell,
               const std::atomic<bool>& stop);

}  // namespace roofline::measure
