// SPDX-License-Identifier: MIT
// Kernels for the exercises' races in several variants, to learn how much they differ on a GPU.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace races {

struct Variant {
  std::string exercise;
  std::string name;
  /// Allocates the buffers; each call of the result is one launch.
  std::function<std::function<void()>()> prepare;
};

/// Of every exercise, the first one is like the solution.
std::vector<Variant> variants();

}  // namespace races
