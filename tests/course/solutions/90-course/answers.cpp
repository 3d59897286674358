// SPDX-License-Identifier: MIT
// Reference answers of the test course.
#include "harness/answer.hpp"

namespace {

HARNESS_ANSWER("90.intensity", [](const harness::Parameters&) {
  return harness::Answer::number(2.0 / 12, "FLOP/B");
})
HARNESS_ANSWER("90.rate", [](const harness::Parameters&) {
  return harness::Answer::number(2.0 / 12 * 100, "GFLOP/s");
})
HARNESS_ANSWER("90.rate/carried", [](const harness::Parameters& parameters) {
  return harness::Answer::number(parameters["carried"] * 100, "GFLOP/s");
})
HARNESS_ANSWER("90.memory", [](const harness::Parameters& parameters) {
  return harness::Answer::number(parameters["parameters"] * 2, "B");
})
HARNESS_ANSWER("90.memory/fp32", [](const harness::Parameters& parameters) {
  return harness::Answer::number(parameters["parameters"] * 4, "B");
})
HARNESS_ANSWER("90.bound",
               [](const harness::Parameters&) { return harness::Answer::choice("memory"); })

}  // namespace
