// SPDX-License-Identifier: MIT
// What a series of measurements must look like to be trusted: claims about shape, not about speed.
#pragma once

#include <span>
#include <string>

namespace harness {

/// Each returns why the claim fails, for people, and nothing when it holds.

/// Times of equal runs: (largest - smallest) / median is at most 5 %.
std::string why_not_steady(std::span<const double> seconds);

/// Rates of a sweep, at least four: they never fall by more than noise, the last is well above the
/// first, and at the end they change no more.
std::string why_no_plateau(std::span<const double> rates);

/// Rates of equal work at different sizes: (largest - smallest) / median is at most 10 %.
std::string why_not_the_same(std::span<const double> rates);

}  // namespace harness
