// SPDX-License-Identifier: MIT
// What to try next, from the position of a kernel on the chart.
#pragma once

#include <string>
#include <vector>

#include "roofline/bounds.hpp"

namespace roofline {

/// The direction in which a remedy moves the point.
enum class Move {
  kUp,        ///< same intensity, closer to the roof: slope or ceiling
  kRight,     ///< fewer bytes, higher intensity; left of the ridge the roof rises with it
  kDiagonal,  ///< right and up at once: fewer wasted bytes, and more useful ones per second
  kNewRoof,   ///< another ceiling: precision, matrix units, another machine
};

const char* to_string(Move move);

struct Remedy {
  Move move = Move::kUp;
  std::string text;
};

struct Advice {
  Bound bound = Bound::kMemory;
  double intensity = 0;
  double fraction_of_roof = 0;   ///< achieved / attainable
  std::string summary;           ///< one sentence
  std::vector<Remedy> remedies;  ///< most promising first
};

/// Advice for a kernel of this intensity running at this rate. Memory-bound kernels are divided
/// into below 50 %, up to 80 % and above; compute-bound ones into below 70 % and above. A rate more
/// than 2 % above the roof is refused with std::invalid_argument: then the bytes, the FLOPs or the
/// roof are wrong.
Advice advise(const Roof& roof, double intensity, double achieved_flops_per_second);

/// The two most promising remedies in sentences, as programs print them; for a rate that advise()
/// refuses, the reason.
std::string next_steps(Bound bound, double fraction_of_roof);

}  // namespace roofline
