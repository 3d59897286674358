// SPDX-License-Identifier: MIT
// One sentence for every line of a kernel that wastes memory traffic or lanes.
#pragma once

#include <string>
#include <vector>

#include "vgpu/profile.hpp"

namespace roofline {

/// What a line wastes, and where the course explains it.
struct LineAdvice {
  std::string file;  ///< name without folders
  int line = 0;
  std::string text;     ///< one sentence
  std::string section;  ///< "topics/02-peaks/README.md#gpu"
  double cost = 0;  ///< sectors, wavefronts or lanes wasted over the launch: the larger, the worse
};

/// Sectors that hold the bytes of a mean request, at least one.
double ideal_sectors(const vgpu::Site& site, const vgpu::Geometry& geometry);

/// Advice for lines that touch half as many sectors again as hold their bytes, whose accesses to
/// shared memory conflict in every fourth pass or more, that leave more than a quarter of the lanes
/// idle, or whose atomics meet in the same sectors; the most costly first, one for each line.
std::vector<LineAdvice> advise_on_lines(const vgpu::Launch& launch, const vgpu::Geometry& geometry);

}  // namespace roofline
