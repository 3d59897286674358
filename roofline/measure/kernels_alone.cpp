// SPDX-License-Identifier: MIT
// measure-kernels: the kernels that measure a GPU, compiled and linked without the program
// roofline. Prints the cost of starting a kernel.
#include <cstdio>
#include <exception>

#include "launch_overhead.hpp"

int main() {
  try {
    const roofline::Spread seconds = roofline::measure::launch_seconds({});
    std::printf("launch: %.3g s, median of %d samples\n", seconds.median, seconds.samples);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure-kernels: %s\n", error.what());
    return 1;
  }
}
