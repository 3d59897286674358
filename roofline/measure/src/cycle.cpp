// SPDX-License-Identifier: MIT
// The order in which the latency measurement visits cache lines.
#include "cycle.hpp"

#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "rates/instruction_list.hpp"

namespace roofline::measure {

std::vector<std::uint32_t> single_cycle(std::size_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("too many lines for a cycle of 32-bit numbers");
  }
  std::vector<std::uint32_t> next(count);
  std::iota(next.begin(), next.end(), 0u);
  // Sattolo's algorithm: Fisher-Yates, but no element may stay in its place.
  for (std::size_t i = count; i-- > 1;) {
    const std::uint64_t other = std::uint64_t{random_bits(i)} * i >> 32;  // below i
    std::swap(next[i], next[other]);
  }
  return next;
}

std::uint32_t after_steps(const std::vector<std::uint32_t>& next, std::uint32_t start,
                          std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) start = next.at(start);
  return start;
}

}  // namespace roofline::measure
