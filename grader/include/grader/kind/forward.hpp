// SPDX-License-Identifier: MIT
// What the header of every kind names and need not know.
#pragma once

namespace grader {

struct Exercise;
struct KindRules;
struct OwnMeasurement;
struct StudentAnswer;
struct Verdict;
class Session;

}  // namespace grader
