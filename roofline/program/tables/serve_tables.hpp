// SPDX-License-Identifier: MIT
// The tables of `roofline serve`, 80 columns wide.
#pragma once

#include <vector>

#include "roofline/serve/deployment.hpp"

namespace roofline::program {

/// Latencies, rates, cost and memory of one run.
void print_summary(const serve::Summary& summary, const serve::Limits& limits);

/// Cache, running and waiting requests over the time of the run.
void print_memory_over_time(const serve::Run& run);

/// The frontier, what could not be run and why, and the best point for the service level.
void print_sweep(const std::vector<serve::Point>& points, double part, bool limited);

}  // namespace roofline::program
