// SPDX-License-Identifier: MIT
// Forward declarations for the headers of all kinds.
#pragma once

namespace grader {

struct Exercise;
struct KindRules;
struct OwnMeasurement;
struct StudentAnswer;
struct Verdict;
class Session;

}  // namespace grader
