// SPDX-License-Identifier: MIT
// One sentence about every line of a kernel that wastes memory traffic or lanes.
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
  double cost = 0;      ///< sectors, wavefronts or lanes wasted over the launch: higher is worse
};

/// Sectors needed for the bytes of an average request, at least one.
double ideal_sectors(const vgpu::Site& site, const vgpu::Geometry& geometry);

/// Advice for lines that touch at least 1.5 times as many sectors as their bytes need, whose shared
/// memory accesses conflict in at least every fourth pass, that leave more than a quarter of the
/// lanes idle, or whose atomics hit the same sectors; the most costly first, one per line.
std::vector<LineAdvice> advise_on_lines(const vgpu::Launch& launch, const vgpu::Geometry& geometry);

}  // namespace roofline
