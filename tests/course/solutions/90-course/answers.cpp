// SPDX-License-Identifier: MIT
// Reference answers of the test course.
#include "harness/answer.hpp"

namespace {

HARNESS_FORMULA("90.intensity", harness::Answer::number(2.0 / 12, "FLOP/B"))
HARNESS_FORMULA("90.rate", harness::Answer::number(2.0 / 12 * 100, "GFLOP/s"))
HARNESS_FORMULA("90.rate/carried", harness::Answer::number(p["carried"] * 100, "GFLOP/s"))
HARNESS_FORMULA("90.memory", harness::Answer::number(p["parameters"] * 2, "B"))
HARNESS_FORMULA("90.memory/fp32", harness::Answer::number(p["parameters"] * 4, "B"))
HARNESS_FORMULA("90.bound", harness::Answer::choice("memory"))

}  // namespace
