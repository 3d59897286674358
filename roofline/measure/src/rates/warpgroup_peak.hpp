// SPDX-License-Identifier: MIT
// Peaks of instructions that need a separate build target (Hopper's wgmma).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "packed_peak.hpp"

namespace roofline::measure {

/// The instructions of this kind that the device has; empty in builds and on devices without them.
std::vector<std::unique_ptr<PackedPeak>> warpgroup_peaks(const std::string& architecture,
                                                         int units);

}  // namespace roofline::measure
