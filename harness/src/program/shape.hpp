// SPDX-License-Identifier: MIT
// Requirements on a series of measurements before it is trusted: claims about shape, not about
// speed.
#pragma once

#include <span>
#include <string>

namespace harness {

/// Each function returns why the claim fails, or an empty text if it holds.

/// Times of equal runs: (largest - smallest) / median is at most 5 %.
std::string why_not_steady(std::span<const double> seconds);

/// Rates of a sweep, at least four: they never fall by more than the noise, the last is well above
/// the first, and they no longer change at the end.
std::string why_no_plateau(std::span<const double> rates);

/// Rates of equal work at different sizes: (largest - smallest) / median is at most 10 %.
std::string why_not_the_same(std::span<const double> rates);

}  // namespace harness
