// SPDX-License-Identifier: MIT
// Numbers of an H200, measured or counted on the virtual one, used by several groups of figures.
#pragma once

#include <string>

#include "value.hpp"

namespace figures {

/// The best rate of topic 02's ladder with every block keeping its own piece, in B/s: L1 of all
/// multiprocessors combined.
double measured_l1(const docs::Sources& sources);

/// Time from one update of a number in L2 to the next, if all threads update the same, in s: the
/// write-up's 6 ns.
inline constexpr double kContendedUpdateSeconds = 6e-9;

/// Column `what` for an access pattern on the virtual H200, from
/// data/measured/virtual_gpu_h200.csv.
double on_virtual_gpu(const docs::Sources& sources, const std::string& pattern,
                      const std::string& what);

}  // namespace figures
