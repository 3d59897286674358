// SPDX-License-Identifier: MIT
// Calls the ridge itself memory-bound.
// Refused: 03.roofline.table | failed | wrong for
#include <algorithm>
#include <vector>

#include "harness/function.hpp"

struct Prediction {
  double intensity = 0;
  double flops_per_second = 0;
  bool memory_bound = false;
};

std::vector<Prediction> predicted_table(double peak, double bandwidth) {
  std::vector<Prediction> rows;
  for (double intensity = 0.125; intensity <= 32; intensity *= 2) {
    rows.push_back(
        {intensity, std::min(peak, bandwidth * intensity), bandwidth * intensity <= peak});
  }
  return rows;
}

HARNESS_FUNCTION(predicted_table)
