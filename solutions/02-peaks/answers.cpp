// SPDX-License-Identifier: MIT
// Reference values of topic 02's numbers and choices, computed by the library.
#include "harness/answer.hpp"
#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"

namespace {

// Per element of SAXPY in 32-bit floats: x and y are read, y is written.
constexpr double kSaxpyFlops = 2;
constexpr double kSaxpyBytes = 3 * 4;

HARNESS_ANSWER("02.saxpy.ai", [](const harness::Parameters&) {
  return harness::Answer::number(roofline::arithmetic_intensity(kSaxpyFlops, kSaxpyBytes),
                                 "FLOP/B");
});

HARNESS_ANSWER("02.saxpy.bound", [](const harness::Parameters& parameters) {
  const roofline::Machine machine = roofline::load_machine(parameters.machine_file());
  const roofline::Roof roof = roofline::roof_of(machine, roofline::Precision::kFp32);
  const double intensity = roofline::arithmetic_intensity(kSaxpyFlops, kSaxpyBytes);
  return harness::Answer::choice(roofline::to_string(roofline::classify(roof, intensity)));
});

}  // namespace
