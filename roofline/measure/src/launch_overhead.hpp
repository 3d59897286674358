// SPDX-License-Identifier: MIT
// The cost of starting a kernel.
#pragma once

#include "sampling.hpp"

namespace roofline::measure {

/// Seconds from one start to the next if empty kernels are queued back to back.
Spread launch_seconds(const Sampling& sampling);

/// Seconds to start one such kernel and wait for it, by the host's clock.
Spread round_trip_seconds(const Sampling& sampling);

}  // namespace roofline::measure
