// SPDX-License-Identifier: MIT
// Blocks and threads of one way to launch a measuring kernel.
#pragma once

#include <cstddef>
#include <string>

namespace roofline::measure {

struct LaunchShape {
  unsigned grid;
  unsigned block;

  std::size_t threads() const { return static_cast<std::size_t>(grid) * block; }
  /// "16 blocks of 1 thread"
  std::string description() const {
    return std::to_string(grid) + (grid == 1 ? " block of " : " blocks of ") +
           std::to_string(block) + (block == 1 ? " thread" : " threads");
  }
};

}  // namespace roofline::measure
