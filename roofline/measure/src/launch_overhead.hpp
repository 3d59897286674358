// SPDX-License-Identifier: MIT
// The cost of starting a kernel.
#pragma once

#include "sampling.hpp"

namespace roofline::measure {

/// Seconds from one start to the next when kernels that do nothing are queued back to back.
Spread launch_seconds(const Sampling& sampling);

/// Seconds of starting one such kernel and waiting for it, by the host's clock.
Spread round_trip_seconds(const Sampling& sampling);

}  // namespace roofline::measure
