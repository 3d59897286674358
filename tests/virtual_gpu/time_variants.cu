// SPDX-License-Identifier: MIT
// Times every variant on a real GPU: CSV of the medians of 20 launches, after two that do not
// count.
#include <algorithm>
#include <array>
#include <cstdio>

#include "gpu/gpu.hpp"
#include "race_variants.hpp"

int main() {
  constexpr int kWarmUp = 2;
  std::printf("device,exercise,variant,seconds\n");
  for (const races::Variant& variant : races::variants()) {
    const std::function<void()> launch = variant.prepare();
    for (int i = 0; i < kWarmUp; ++i) launch();
    std::array<double, 20> seconds{};
    for (double& one : seconds) {
      gpu::Timer timer;
      launch();
      one = timer.seconds();
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = (seconds[seconds.size() / 2 - 1] + seconds[seconds.size() / 2]) / 2;
    std::printf("\"%s\",\"%s\",\"%s\",%.9g\n", gpu::current_device().name.c_str(),
                variant.exercise.c_str(), variant.name.c_str(), median);
    std::fflush(stdout);
  }
  return 0;
}
