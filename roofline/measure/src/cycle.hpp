// SPDX-License-Identifier: MIT
// The order in which the latency measurement visits cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roofline::measure {

/// A pseudo-random permutation of 0 .. count-1 that is one cycle through all of them (Sattolo's
/// algorithm): element i is the successor of i. It is a single cycle, because a walk through a
/// shorter one would find its lines in a nearer cache.
std::vector<std::uint32_t> single_cycle(std::size_t count);

/// The position of a walk that started at `start`, after `steps` steps.
std::uint32_t after_steps(const std::vector<std::uint32_t>& next, std::uint32_t start,
                          std::size_t steps);

}  // namespace roofline::measure
