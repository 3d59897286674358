// SPDX-License-Identifier: MIT
// Hashes of everything that a verdict depends on besides the submission.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/batch/submission.hpp"
#include "grader/exercise/exercise.hpp"

namespace grader {

/// A hash of the course's headers and libraries, of this machine's roofs and of the grader itself.
std::string tools_key(const Course& course);

/// One hash per topic, over its exercises, oracle and solutions, the tools_key(), and the requested
/// seed (0 if none).
std::map<std::string, std::string> course_keys(const Course& course, const std::string& tools,
                                               const std::vector<Topic>& topics,
                                               std::uint64_t seed);

}  // namespace grader
