// SPDX-License-Identifier: MIT
// The patterns of access that the virtual GPU is held against a real one with.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace patterns {

/// One launch, with all that it needs; buffers are made anew.
struct Pattern {
  std::string name;
  std::function<void()> run;
};

/// Always the same, in the same order.
std::vector<Pattern> all();

}  // namespace patterns
