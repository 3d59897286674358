// SPDX-License-Identifier: MIT
// Compares a kernel's counts with the limits of its oracle.
#pragma once

#include <map>
#include <string>

#include "harness/task.hpp"

namespace grader {

/// The counts of a checked run, by name.
using Counts = std::map<std::string, double>;

/// @throws std::runtime_error when there is no such counter.
double count_of(const Counts& counts, const std::string& counter);

/// What is wrong, in a line or two; empty when the count is within its limit.
std::string judge_limit(const harness::CountLimit& limit, const Counts& counts);

/// A count with all its digits, such as "1617" or "0.25".
std::string plain_number(double value);

}  // namespace grader
