// SPDX-License-Identifier: MIT
// What the header of every kind names and need not know.
#pragma once

namespace grader {

struct Exercise;
struct Interval;
struct KindRules;
struct StudentAnswer;
struct Verdict;
class Session;

}  // namespace grader
