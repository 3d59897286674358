// SPDX-License-Identifier: MIT
// What a kernel did, compared with the limits of its oracle.
#pragma once

#include <map>
#include <string>

#include "harness/task.hpp"

namespace grader {

/// What a checked run did, by name.
using Counts = std::map<std::string, double>;

/// @throws std::runtime_error when there is no such counter.
double count_of(const Counts& counts, const std::string& counter);

/// What is wrong, in a line or two; empty when the count is within its limit.
std::string judge_limit(const harness::CountLimit& limit, const Counts& counts);

/// "1617", "0.25": as many digits as a count has.
std::string plain_number(double value);

}  // namespace grader
