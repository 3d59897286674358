// SPDX-License-Identifier: MIT
// Runs every pattern once, for profiling on a real GPU, and prints their names in that order. With
// --brought, it runs the kernels of brought.cu instead.
#include <cstdio>
#include <string_view>

#include "patterns.hpp"

int main(int argc, char** argv) {
  const bool brought = argc > 1 && std::string_view(argv[1]) == "--brought";
  for (const patterns::Pattern& pattern : brought ? patterns::brought() : patterns::all()) {
    pattern.run();
    std::printf("%s\n", pattern.name.c_str());
  }
  return 0;
}
