// SPDX-License-Identifier: MIT
// Runs every pattern once, for profiling on a real GPU, and prints their names in that order.
#include <cstdio>

#include "patterns.hpp"

int main() {
  for (const patterns::Pattern& pattern : patterns::all()) {
    pattern.run();
    std::printf("%s\n", pattern.name.c_str());
  }
  return 0;
}
