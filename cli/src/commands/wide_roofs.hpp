// SPDX-License-Identifier: MIT
// Roofs whose samples differ so much that something else was running.
#pragma once

#include <string>
#include <vector>

#include "roofline/measurement.hpp"

namespace cli {

/// Names of the bandwidths and compute roofs whose 5th and 95th percentiles are further apart than
/// a fifth of the median, without refused roofs and latencies.
std::vector<std::string> wide_roofs(const roofline::Report& report);

}  // namespace cli
