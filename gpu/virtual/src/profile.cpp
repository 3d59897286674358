// SPDX-License-Identifier: MIT
// Sums over a launch.
#include "vgpu/profile.hpp"

namespace vgpu {

double Launch::total(Space space, Access access, double Site::*figure) const {
  double sum = 0;
  for (const Site& site : sites) {
    if (site.space == space && site.access == access) sum += site.*figure;
  }
  return sum;
}

double Launch::flops() const {
  double sum = 0;
  for (const auto& [format, work] : arithmetic) sum += work.flops();
  return sum;
}

double Launch::matrix_instructions() const {
  double sum = 0;
  for (const auto& [format, work] : matrix) sum += work.instructions;
  return sum;
}

double Launch::matrix_flops() const {
  double sum = 0;
  for (const auto& [format, work] : matrix) sum += work.flops;
  return sum;
}

double Launch::lane_use(int lanes_of_warp) const {
  double lanes = 0;
  double steps = 0;
  for (const LineWork& line : lines) {
    lanes += line.lanes;
    steps += line.warp_steps;
  }
  return steps > 0 ? lanes / (steps * lanes_of_warp) : 1;
}

}  // namespace vgpu
