// SPDX-License-Identifier: MIT
// Roofs that were measured on an H200, for more than one group of figures.
#pragma once

#include "value.hpp"

namespace figures {

/// The best rate of topic 02's ladder where every block keeps its own piece, in B/s: L1, of all
/// multiprocessors together.
double measured_l1(const docs::Sources& sources);

}  // namespace figures
