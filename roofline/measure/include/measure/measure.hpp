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
  std::vector<std::string> only;  ///< names of roofs and tables; all of the run when empty
  std::optional<Report> like;     ///< what each roof was measured with before, instead of a search
  std::filesystem::path machine_folder;  ///< datasheets that measured figures are held against
  std::string command;                   ///< for the report
};

/// Told before each roof and after it.
struct Progress {
  std::string roof;
  int done = 0;
  int total = 0;
  double seconds_left = 0;               ///< estimate; 0 until something was measured
  const MeasuredRoof* result = nullptr;  ///< set when the roof has just been measured
};

/// Measures everything; on `stop` it returns what was finished, with complete = false.
/// Throws gpu::Error when the device fails, std::runtime_error when there is too little memory, and
/// std::invalid_argument, which lists the names, when `only` has one that the run lacks.
Report measure(const Options& options, const std::function<void(const Progress&)>& tell,
               const std::atomic<bool>& stop);

}  // namespace roofline::measure
