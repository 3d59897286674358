// SPDX-License-Identifier: MIT
// Which seed the inputs of a run are drawn from.
#pragma once

#include <cstdint>
#include <string_view>

namespace grader {

/// The seed of the course's own tests, which must give the same result on every machine and in
/// every run.
inline constexpr std::uint64_t kCourseSeed = 17;

/// The seed of an option; if that is 0, the environment variable ROOFLINE_SEED; 0 without either.
/// @throws std::invalid_argument when the variable is not a whole number greater than 0.
std::uint64_t asked_seed(std::uint64_t option);

/// The requested seed, else `default_value`, where 0 means a new seed each time.
std::uint64_t chosen_seed(std::uint64_t option, std::uint64_t default_value = 0);

/// The seed of one exercise's inputs in a run: the same with every standard library, and small
/// enough to be a positive integer of the protocol.
std::uint64_t seed_of(std::string_view exercise, std::uint64_t run);

}  // namespace grader
