// SPDX-License-Identifier: MIT
// The functions of the test course.
#pragma once

#include <cstdint>
#include <vector>

struct Operation {
  double flops = 0;
  double bytes = 0;
};

struct Machine {
  double peak = 0;
  double bandwidth = 0;
};

double attainable(double peak, double bandwidth, double intensity);
std::int64_t blocks_for(std::int64_t n, int threads);
double step_seconds(const std::vector<Operation>& operations, const Machine& machine);
