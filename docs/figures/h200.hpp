// SPDX-License-Identifier: MIT
// Roofs measured on an H200, used by several groups of figures.
#pragma once

#include "value.hpp"

namespace figures {

/// The best rate of topic 02's ladder with every block keeping its own piece, in B/s: L1 of all
/// multiprocessors combined.
double measured_l1(const docs::Sources& sources);

}  // namespace figures
