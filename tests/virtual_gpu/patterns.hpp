// SPDX-License-Identifier: MIT
// The access patterns for which the virtual GPU is compared with a real one.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace patterns {

/// One launch with everything it needs; buffers are created anew.
struct Pattern {
  std::string name;
  std::function<void()> run;
};

/// Always the same, in the same order.
std::vector<Pattern> all();

/// Kernels that were not used to develop the virtual GPU. Their counts follow from published rules.
std::vector<Pattern> brought();

}  // namespace patterns
