// SPDX-License-Identifier: MIT
// What exercises of several kinds share: parameters that a variant draws, and problem sizes for
// timing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace grader {

/// A parameter of a number or choice: its value in the write-up, and the values a variant may draw.
struct ExerciseParameter {
  std::string name;
  double canonical = 0;
  std::vector<double> choices;  ///< empty when every student gets the canonical value
  /// The exercise of this topic that has the same parameter: a student gets one value for both.
  std::string same_as{};
  /// The texts that the values stand for, if any: in a task, {name} becomes the text.
  std::map<double, std::string> texts{};
  std::string texts_file{};  ///< their file, relative to the checkout's root
};

/// The problem size at which something is timed.
struct TimedSize {
  std::int64_t on_cpu = 0;
  std::int64_t on_gpu = 0;
};

/// What a kernel does on a virtual GPU to be judged.
struct VirtualProblem {
  std::int64_t size = 0;
  int multiprocessors = 0;  ///< of the GPU; 0: all
};

}  // namespace grader
