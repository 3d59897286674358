// SPDX-License-Identifier: MIT
// What `roofline measure` is compared with: programs written by hand for one kind of machine.
#pragma once

#include <map>
#include <string>

#include "roofline/measurement.hpp"

namespace bench {

/// Rates in B/s or FLOP/s, by the name of the roof that they are compared with.
using Rates = std::map<std::string, double>;

/// Runs the hand-written programs of this build's machine once; medians of at least 20 samples.
/// @param device the machine as `roofline measure` describes it: streams use arrays that its last
///   cache cannot serve either
Rates native_rates(const roofline::DeviceInfo& device);

}  // namespace bench
